import {
  type CheckOptions,
  checksIn,
  consentToLenience,
  demand,
  demandRejected,
} from "../../../fixtures/engine/vocabulary.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { type FieldProbe, fieldProbes, isLenient } from "../../../schemas/probes.ts";
import { needExpendable, responseToDefect } from "../requests.ts";

const check = checksIn("probes");

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
          ctx.observe("N18", `${noun} when ${what} ${response.fate}`);
          continue;
        }
        await demandRejected(ctx, response, { what, field });
        const isOrderly = !response.isCrash && !response.failure;
        if (level === "SHOULD")
          demand(isOrderly, response, `${response.outcome} although ${what}`, "a 4xx rejection");
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
        const isRejected = !response.is2xx && !response.is5xx;
        demand(isRejected, response, `${response.outcome} although ${name} is ${what}`, "400");
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
