import { consentToLenience } from "../../../fixtures/engine/judge/check-families.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectOutcome } from "../../../fixtures/engine/judge/matchers.ts";
import { type CheckOptions, check } from "../../../fixtures/engine/run/check.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import {
  coercibleFields,
  type FieldProbe,
  type FieldType,
  fieldProbes,
  isLenient,
} from "../../../schemas/probes.ts";
import { needExpendable, responseToDefect } from "./requests.ts";

// One field of a valid request is wrong: the API must not carry the request out, and should not crash.
for (const operation of operations) {
  const { id, noun } = operation;
  for (const probe of fieldProbes(operation)) {
    const { field, kind, level, defects } = probe;
    const title = titleOf(noun, probe);
    check(`${id}/${field}/${kind}`, title, optionsOf(id, probe), async (ctx) => {
      if (isLenient(probe)) needExpendable(ctx, id);
      for (const defect of defects) {
        const { what } = defect;
        const response = await responseToDefect(ctx, id, defect);
        if (level === "OBSERVE") {
          expectAnswered(response);
          ctx.observe("N18", `${noun} when ${what} ${response.fate}`);
          continue;
        }
        await expectRejected(ctx, response, { what, field });
        const isOrderly = !response.isCrash && !response.failure;
        if (level === "SHOULD") expectOutcome(isOrderly, response, what, "a 4xx rejection");
      }
    });
  }
}

function optionsOf(id: OperationId, probe: FieldProbe): CheckOptions {
  const { level, requirements, defects } = probe;
  const consent = isLenient(probe) ? consentToLenience(id, defects.length) : {};
  if (level === "MUST") return { must: requirements };
  return level === "SHOULD" ? { should: requirements, ...consent } : { observe: "N18", ...consent };
}

function titleOf(noun: string, { field, kind, level, defects }: FieldProbe): string {
  if (level === "OBSERVE") return `handling of ${noun} when ${defects[0]?.what}`;
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, first.what);
  if (kind === "nobody") return `refuses ${noun} when ${field} is 0, false or empty, and so names nothing`;
  return `refuses ${noun} when ${field} has the wrong type${kind === "type" ? "" : ", even one that could be converted"}`;
}

// Validators differ over numbers as text and text as numbers; accepting and rejecting them are both defensible.
for (const operation of operations) {
  const { id } = operation;
  for (const { field, type } of coercibleFields(operation)) {
    const item = type === "text or number" ? "N18" : "N40";
    const title = `handling of ${field} in another JSON type`;
    check(`${id}/${field}/coercion`, title, { observe: item, ...consentToLenience(id) }, async (ctx) => {
      needExpendable(ctx, id);
      const { body, reference } = ctx.draft(id);
      const valid = body?.[field];
      const value = coerced(type, valid, valid === reference, ctx.run.builder.fresh());
      const response = await ctx.send(id, { body: { [field]: value } }, { retry: false });
      expectAnswered(response);
      const written = typeof value === "number" ? "a number" : "text";
      ctx.observe(item, `${field} as ${written} is ${response.isSuccess ? "accepted" : "rejected"}`);
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

/** Written out. An unescaped semicolon would separate parameters for some servers, as an ampersand does. */
const ODD: readonly (readonly [what: string, written: (name: string) => string])[] = [
  ["a fraction", (name) => `${name}=1.5`],
  ["empty", (name) => `${name}=`],
  ["1;2, two numbers", (name) => `${name}=1%3B2`],
];

// Section 4.8 ties 400 to parameters that are not integers; values that some parsers take for one only warn.
for (const operation of operations) {
  const { id, noun, requirements } = operation;
  for (const name of integersBoundTo400(operation)) {
    const title = `refuses ${noun} when ${name} is a fraction, empty or two numbers`;
    check(`${id}/${name}/odd`, title, { should: requirements.types ?? [] }, async (ctx) => {
      const others = Object.entries(ctx.run.builder.build(id).query)
        .filter(([other]) => other !== name)
        .map(([other, value]) => `${other}=${String(value)}`);
      for (const [what, written] of ODD) {
        const rawQuery = [...others, written(name)].join("&");
        const response = await ctx.sendInvalid(id, {}, { rawQuery });
        expectAnswered(response);
        const isRejected = !response.is2xx && !response.is5xx;
        expectOutcome(isRejected, response, `${name} is ${what}`, "400");
      }
    });
  }
}

function integersBoundTo400({ bound }: Operation): string[] {
  const parameters = bound
    .filter(({ status }) => status === 400)
    .flatMap(({ change }) => Object.entries(change.query ?? {}));
  return parameters.filter(([, value]) => value === "abc").map(([name]) => name);
}
