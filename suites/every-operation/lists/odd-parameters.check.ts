import { checksIn, demand } from "../../../fixtures/engine/vocabulary.ts";
import { operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";

const check = checksIn("probes");

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
        const isRejected = response.statusClass !== 2 && response.statusClass !== 5;
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
