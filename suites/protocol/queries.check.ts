import { judgeAnswered } from "../../fixtures/answered.ts";
import { isStatus2xx, isStatus5xx } from "../../fixtures/classify.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";

/** Written as they stand, since neither a repetition nor a separator can come out of one value. */
const ODD: readonly (readonly [what: string, written: (name: string) => string])[] = [
  ["a fraction", (name) => `${name}=1.5`],
  ["empty", (name) => `${name}=`],
  ["two numbers", (name) => `${name}=1;2`],
];

// Section 4.8 ties 400 to parameters that are no integers; forms that some parsers read as one draw a warning.
for (const operation of operations) {
  const { id, requirements } = operation;
  for (const name of integersBoundTo400(operation)) {
    check(`${id}/${name}/odd`, { level: "SHOULD", requirements: requirements.types ?? [] }, async (bench) => {
      const others = Object.entries(bench.run.builder.build(id).query)
        .filter(([other]) => other !== name)
        .map(([other, value]) => `${other}=${String(value)}`);
      for (const [what, written] of ODD) {
        const rawQuery = [...others, written(name)].join("&");
        const answer = await attemptPatiently(bench, id, {}, { rawQuery });
        judgeAnswered(answer);
        if (isStatus2xx(answer) || isStatus5xx(answer))
          throw violation(answer, `${outcomeOf(answer)} where ${name} is ${what}`, "400");
      }
    });
  }
}

function integersBoundTo400({ bound }: (typeof operations)[number]): string[] {
  return bound.flatMap(({ status, change }) =>
    status === 400
      ? Object.entries(change.query ?? {}).flatMap(([name, value]) => (value === "abc" ? [name] : []))
      : [],
  );
}
