import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { consentToLenience } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { coercibleFields, type FieldType } from "../../schemas/probes.ts";
import { needExpendable } from "./consent.ts";

// Validators differ over numbers as text and text as numbers; accepting and rejecting them are both defensible.
for (const operation of operations) {
  const { id } = operation;
  for (const { field, type } of coercibleFields(operation)) {
    const item = type === "text or number" ? "N18" : "N40";
    const title = `accepts or rejects ${field} in another JSON type`;
    check(`${id}/${field}/coercion`, title, { observe: item, ...consentToLenience(id) }, async (ctx) => {
      needExpendable(ctx, id);
      const { body, reference } = ctx.draft(id);
      const valid = body?.[field];
      const value = coerced(type, valid, valid === reference, ctx.run.builder.fresh());
      const answer = await ctx.send(id, { body: { [field]: value } });
      expectAnswered(answer);
      const written = typeof value === "number" ? "a number" : "text";
      ctx.observe(item, `${field} as ${written} is ${answer.isSuccess ? "accepted" : "rejected"}`);
    });
  }
}

/** The valid value in another type: text for numbers, a number for text. */
function coerced(type: FieldType, valid: unknown, isReference: boolean, fresh: string): string | number {
  if (type === "boolean") return "false";
  if (type === "number" || typeof valid === "number") return String(valid ?? 1);
  // A reference must be new in every request; the digits of a fresh one are.
  const text = isReference ? BigInt(`0x${fresh.replaceAll(/[^\da-f]/gi, "")}`) % 1_000_000_000_000n : valid;
  const digits = String(text ?? "").replaceAll(/[ -]/g, "");
  return /^\d{1,16}$/.test(digits) ? Number(digits) : 12_345;
}
