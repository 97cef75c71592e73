import type { Bench } from "../../fixtures/bench.ts";
import { isStatus5xx } from "../../fixtures/classify.ts";
import { judgeRefused } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { type FieldProbe, fieldProbes, type Wrong } from "../../schemas/probes.ts";
import { answerToWrong, lenienceOf, needLenience } from "./field-answers.ts";

// One field of a valid request is wrong: the target must not carry it out, and should not break down over it.
for (const operation of operations) {
  const { id } = operation;
  for (const probe of fieldProbes(operation)) {
    const { field, kind, level, requirements } = probe;
    const stake = level === "SHOULD" ? lenienceOf(id, probe.values.length) : {};
    check(`${id}/${field}/${kind}`, { level, requirements, ...stake }, async (bench) => {
      if (level === "SHOULD") needLenience(bench, probe);
      for (const wrong of probe.values) await judge(bench, id, probe, wrong);
    });
  }
}

async function judge(bench: Bench, id: OperationId, { field, level }: FieldProbe, wrong: Wrong) {
  const answer = await answerToWrong(bench, id, wrong);
  await judgeRefused(bench, id, answer, { what: wrong.what, field });
  if (level === "SHOULD" && (isStatus5xx(answer) || answer.failure))
    throw violation(answer, `${outcomeOf(answer)} where ${wrong.what}`, "a refusal with 4xx");
}
