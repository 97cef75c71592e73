import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { documentsOnly5xx, isStatus5xx } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { attemptPatiently, judgeRefused } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { harmless, hasRequiredField, jsonOperations } from "./ordinary.ts";

const NO_OBJECTS = ["[]", '"text"', "7", "null"];

// Section 1: JSON bodies. What is no JSON object can hold no field, so nothing may come of it.
for (const operation of jsonOperations) {
  const { id, requirements } = operation;

  check(`${id}/http/malformed-json`, { level: "MUST", requirements: ["R004"] }, async (bench) => {
    await judgeRefused(bench, id, await malformed(bench, id), { what: "its body is malformed JSON" });
  });

  check(`${id}/http/malformed-json/status`, { level: "SHOULD", requirements: ["R004"] }, async (bench) => {
    const answer = await malformed(bench, id);
    judgeAnswered(answer);
    const documented = answer.status === 500 && documentsOnly5xx(operation);
    if (!documented && (isStatus5xx(answer) || answer.failure))
      throw violation(answer, `${outcomeOf(answer)} to malformed JSON`, "a refusal with 4xx");
    if (answer.jsonError === "the body is an HTML page")
      throw violation(answer, `${outcomeOf(answer)} with an HTML page to malformed JSON`, "a JSON body");
  });

  if (!hasRequiredField(operation)) continue;
  const required = requirements.required ?? [];

  check(
    `${id}/http/body-not-an-object`,
    { level: "MUST", requirements: ["R004", ...required] },
    async (bench) => {
      await controlOf(bench, id);
      for (const bytes of NO_OBJECTS) {
        const what = `its body is ${bytes}`;
        await judgeRefused(bench, id, await sendBytes(bench, id, bytes), { what });
      }
    },
  );

  check(`${id}/http/empty-body`, { level: "MUST", requirements: required }, async (bench) => {
    await controlOf(bench, id);
    await judgeRefused(bench, id, await sendBytes(bench, id, ""), { what: "its body is empty" });
  });
}

/** The answer to a valid body without its last brace. */
async function malformed(bench: Bench, id: OperationId): Promise<Answer> {
  await controlOf(bench, id);
  const answer = await bench.run.shared(`malformed-json/${id}`, () => {
    const draft = harmless(bench, id);
    const bytes = JSON.stringify(draft.body).slice(0, -1);
    return attemptPatiently(bench, id, {}, { draft, bytes });
  });
  bench.note(answer);
  return answer;
}

/** Sends exact bytes as the body; none of them holds anything that could be carried out. */
function sendBytes(bench: Bench, id: OperationId, bytes: string): Promise<Answer> {
  const draft = { ...harmless(bench, id), stake: undefined };
  return attemptPatiently(bench, id, {}, { draft, bytes });
}
