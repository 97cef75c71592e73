import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { check } from "../../fixtures/test.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { type Coercible, coercibleFields, type FieldType } from "../../schemas/probes.ts";
import { lenienceOf, needLenience } from "./field-answers.ts";

// Validators differ over numbers as text and text as numbers: taking and refusing them are both defensible.
for (const operation of operations) {
  for (const coercible of coercibleFields(operation)) {
    const item = coercible.type === "text or number" ? "N18" : "N40";
    check(
      `${operation.id}/${coercible.field}/coercion`,
      { level: "OBSERVE", source: item, ...lenienceOf(operation.id) },
      (bench) => observe(bench, operation.id, coercible, item),
    );
  }
}

async function observe(bench: Bench, id: OperationId, coercible: Coercible, item: string) {
  const { field, type } = coercible;
  needLenience(bench, coercible);
  const draft = bench.draft(id);
  const value = coerced(
    type,
    draft.body?.[field],
    draft.body?.[field] === draft.reference,
    bench.run.builder.fresh(),
  );
  const answer = await bench.send(id, { body: { [field]: value } });
  judgeAnswered(answer);
  const written = typeof value === "number" ? "a number" : "text";
  bench.observe(item, `${field} as ${written} is ${isSuccess(answer) ? "accepted" : "refused"}`);
}

/** The valid value in another type: text for numbers, a number for text. */
function coerced(type: FieldType, valid: unknown, isReference: boolean, fresh: string): string | number {
  if (type === "boolean") return "false";
  if (type === "number" || typeof valid === "number") return String(valid ?? 1);
  // A reference has to be new in every request; the digits of a fresh one are.
  const text = isReference ? BigInt(`0x${fresh.replaceAll(/[^\da-f]/gi, "")}`) % 1_000_000_000_000n : valid;
  const digits = String(text ?? "").replaceAll(/[ -]/g, "");
  return /^\d{1,16}$/.test(digits) ? Number(digits) : 12_345;
}
