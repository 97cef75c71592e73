import { z } from "zod";
import type { Answer } from "../../fixtures/http/answer.ts";
import { isObject } from "../../fixtures/http/body.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { isErrorWord } from "../../fixtures/http/mismatch.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejectionAsDocumented, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { rejectedRequests } from "../../schemas/probes.ts";
import { answerToDefect, invalidRequests } from "./field-answers.ts";

const INVALID = "the request is invalid";

// How an operation rejects: the body and the status of every rejection that its invalid requests met.
for (const operation of operations) {
  const { id, requirements } = operation;
  const defects = invalidRequests(operation);
  if (defects.length === 0) continue;

  /** Judges every answer; a target that was always busy shows nothing. */
  const everyRejection =
    (judge: (answer: Answer, ctx: CheckContext) => void) => async (ctx: CheckContext) => {
      const answers = await Promise.all(defects.map((defect) => answerToDefect(ctx, id, defect)));
      const decided = answers.filter((answer) => !answer.isThrottled);
      for (const answer of decided) judge(answer, ctx);
      if (decided.length === 0)
        throw new Inconclusive("the target is busy; set a lower RATE_LIMIT or repeat later");
    };

  // The bodies of bound conditions are judged together with their status.
  if (requirements.rejection && rejectedRequests(operation).length > 0) {
    check(
      `${id}/rejections/shape`,
      "rejects with the documented error body",
      { must: requirements.rejection },
      everyRejection((answer) => {
        if (!answer.failure && !answer.looksAccepted) expectRejectionAsDocumented(answer);
      }),
    );
  }
  if (operation.responses[400] instanceof z.ZodUnknown) {
    check(
      `${id}/rejections/json`,
      "returns JSON with a 400, whose body is undocumented",
      { should: "G13" },
      everyRejection(recordBodyOf400),
    );
  }
  if (hasErrorWord(operation)) {
    check(
      `${id}/rejections/error-word`,
      'writes the status of a rejection as "error", in lower case',
      { should: ["R107"] },
      everyRejection((answer) => {
        const word = answer.field("status");
        const isOther = answer.is4xx && isErrorWord(word) && word !== "error";
        expectThat(!isOther, answer, `${outcomeOf(answer)} with status ${JSON.stringify(word)}`, `"error"`);
      }),
    );
  }
  // If no status is documented for invalid input, any 4xx is as good: the list of section 7 is open.
  const documented = documentedRejections(operation);
  if (documented.some((code) => code === "400" || code === "422")) {
    check(
      `${id}/rejections/status`,
      `rejects with a documented status (${documented.join(", ")})`,
      { should: "N39" },
      everyRejection((answer) => {
        const { status = 0 } = answer;
        const isOther = answer.is4xx && !(status in operation.responses);
        expectThat(!isOther, answer, `${outcomeOf(answer)} although ${INVALID}`, documented.join(" or "));
      }),
    );
  }
  check(
    `${id}/rejections/no-crash`,
    "does not crash on invalid requests",
    { critical: "practice" },
    everyRejection((answer) => {
      const isCrash = answer.isCrash && !answer.is2xx;
      expectThat(!isCrash, answer, `${outcomeOf(answer)} although ${INVALID}`, "a 4xx rejection");
    }),
  );
}

function recordBodyOf400(answer: Answer, ctx: CheckContext) {
  if (answer.status !== 400) return;
  const { jsonProblem, json } = answer;
  expectThat(!jsonProblem, answer, `${outcomeOf(answer)}, where ${jsonProblem?.text}`, "a JSON body");
  const names = isObject(json) ? Object.keys(json).toSorted().join(", ") : "no object";
  const text = `a body of 400 has ${names}`;
  if (!ctx.observations.some((seen) => seen.text === text)) ctx.observe("G13", text);
}

function documentedRejections({ responses }: Operation): string[] {
  return Object.keys(responses).filter((code) => /^4\d\d$/.test(code) && code !== "401");
}

/** Whether section 7 gives the operation's rejections the word `error` (shapes A and B). */
function hasErrorWord(operation: Operation): boolean {
  return Object.values(operation.responses).some(
    (schema) => schema instanceof z.ZodObject && schema.shape.status instanceof z.ZodLiteral,
  );
}
