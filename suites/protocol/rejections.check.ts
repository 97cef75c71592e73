import { z } from "zod";
import { type Answer, isObject } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import {
  documentsOnly5xx,
  errorDifference,
  isErrorWord,
  isStatus2xx,
  isStatus4xx,
  isStatus5xx,
  isThrottled,
  looksCarriedOut,
  refusalSchemas,
} from "../../fixtures/classify.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { rejectedRequests } from "../../schemas/probes.ts";
import { answerToWrong, wrongRequests } from "./field-answers.ts";

// How an operation refuses: the body and the status of every refusal that its wrong requests met.
for (const operation of operations) {
  const { id, requirements } = operation;
  const wrongs = wrongRequests(operation);
  if (wrongs.length === 0) continue;

  /** Judges every answer; a target that was always busy shows nothing. */
  const everyRefusal = (judge: (answer: Answer, bench: Bench) => void) => async (bench: Bench) => {
    const answers = await Promise.all(wrongs.map((wrong) => answerToWrong(bench, id, wrong)));
    const decided = answers.filter((answer) => !isThrottled(answer));
    for (const answer of decided) judge(answer, bench);
    if (decided.length === 0)
      throw new Inconclusive("the target is busy; set a lower RATE_LIMIT or repeat later");
  };

  // Bound conditions are judged with their bodies where they stand.
  if (requirements.refusal && rejectedRequests(operation).length > 0) {
    check(
      `${id}/rejections/shape`,
      { level: "MUST", requirements: requirements.refusal },
      everyRefusal(judgeShape),
    );
  }
  if (isNotShown(operation.responses[400])) {
    check(
      `${id}/rejections/json`,
      { level: "SHOULD", source: "G13" },
      everyRefusal((answer, bench) => {
        if (answer.status !== 400) return;
        if (answer.jsonError)
          throw violation(answer, `${outcomeOf(answer)} where ${answer.jsonError}`, "a JSON body");
        const names = isObject(answer.json) ? Object.keys(answer.json).toSorted().join(", ") : "no object";
        const text = `a body of 400 holds ${names}`;
        if (!bench.observations.some((seen) => seen.text === text)) bench.observe("G13", text);
      }),
    );
  }
  if (hasErrorWord(operation)) {
    check(
      `${id}/rejections/error-word`,
      { level: "SHOULD", requirements: ["R107"] },
      everyRefusal(judgeErrorWord),
    );
  }
  // Where no status is shown for invalid input, any 4xx is as good (the catalogue of section 7 is open).
  if (documentedRefusals(operation).some((code) => code === "400" || code === "422")) {
    check(`${id}/rejections/status`, { level: "SHOULD", source: "N39" }, everyRefusal(judgeStatus));
  }
  check(
    `${id}/rejections/no-crash`,
    { level: "SHOULD", critical: true, source: "practice" },
    everyRefusal(judgeCrash),
  );
}

function isNotShown(schema: z.ZodType | undefined): boolean {
  return schema instanceof z.ZodUnknown;
}

/** The documented refusal has the documented body, wherever it is met. */
function judgeShape(answer: Answer) {
  const { status = 0, operation } = answer;
  if (answer.failure || looksCarriedOut(answer) || (operation.refusal && isStatus5xx(answer))) return;
  if (operation.refusal && (status === 401 || status === 403)) return;
  const [schema] = refusalSchemas(operation, status);
  const different = schema && errorDifference(schema, answer);
  if (different)
    throw violation(answer, `${outcomeOf(answer)} where ${different}`, "the documented error body");
}

function judgeErrorWord(answer: Answer) {
  const word = answer.field("status");
  if (isStatus4xx(answer) && isErrorWord(word) && word !== "error")
    throw violation(answer, `${outcomeOf(answer)} with status ${JSON.stringify(word)}`, `"error"`);
}

function judgeStatus(answer: Answer) {
  const { status = 0, operation } = answer;
  if (!isStatus4xx(answer) || status in operation.responses) return;
  const documented = documentedRefusals(operation).join(" or ");
  throw violation(answer, `${outcomeOf(answer)} to invalid input`, documented);
}

function judgeCrash(answer: Answer) {
  const documented = answer.status === 500 && documentsOnly5xx(answer.operation);
  if (documented || isStatus2xx(answer) || !(isStatus5xx(answer) || answer.failure)) return;
  throw violation(answer, `${outcomeOf(answer)} to invalid input`, "a refusal with 4xx");
}

function documentedRefusals({ responses }: Operation): string[] {
  return Object.keys(responses).filter((code) => /^4\d\d$/.test(code) && code !== "401");
}

/** Whether section 7 gives the operation's refusals the word `error` (shapes A and B). */
function hasErrorWord(operation: Operation): boolean {
  return Object.values(operation.responses).some(
    (schema) => schema instanceof z.ZodObject && schema.shape.status instanceof z.ZodLiteral,
  );
}
