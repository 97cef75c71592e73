import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive, ifDecided } from "../../../fixtures/engine/http/findings.ts";
import {
  expectRejectionAsDocumented,
  expectSuccessAsDocumented,
  expectThat,
} from "../../../fixtures/engine/judge/matchers.ts";
import { locate } from "../../../fixtures/engine/lists/locate.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import { plural } from "../../../reports/wording.ts";
import {
  documentsRejection,
  documentsSuccess,
  operations,
  successBodyRequirements,
} from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { rejectedRequests } from "../../../schemas/probes.ts";
import { answerToDefect, invalidRequests } from "../statuses-and-bodies/requests.ts";
import { expectNoneMisshapen, judgeShapes, type Misshapen } from "./judged-answers.ts";
import { answersOf, enoughAnswers } from "./recorded-answers.ts";

// Every answer that an operation gave in this run has the documented form, not only those that a check asked for.
// An operation whose request is undocumented gets a single one, which the check of its acceptance judges.
for (const operation of operations.filter(({ fieldProbes }) => fieldProbes !== "none")) {
  const { id, requirements } = operation;

  if (documentsSuccess(operation)) {
    const title = "returns the documented status and body with every success";
    const must = successBodyRequirements(operation);
    check(`${id}/answers/success-shape`, title, { must }, async (ctx) => {
      const { answer: control, notTested } = await enoughAnswers(ctx, id);
      const found = judgeShapes(ctx, id, "success", expectSuccessAsDocumented);
      if (found.judged.length === 0)
        throw notTested ?? new Inconclusive("no request of this run was accepted", `${id}/accepted`);
      const isInControl = found.violations.some(({ answer }) => answer === control);
      expectNoneMisshapen(ctx, found, isInControl ? `${id}/accepted` : undefined);
    });
  }

  if (documentsRejection(operation)) {
    const title = "returns the documented error body with every rejection";
    check(`${id}/answers/rejection-shape`, title, { must: requirements.rejection ?? [] }, async (ctx) => {
      await answersOf(ctx, id);
      // In a run of all checks, these have been sent before.
      const invalid = await Promise.all(
        invalidRequests(operation).map((defect) => ifDecided(answerToDefect(ctx, id, defect))),
      );
      const found = judgeShapes(ctx, id, "rejection", expectRejectionAsDocumented);
      expectNoneMisshapen(ctx, found, checkOfOneRejection(operation, found, invalid));
    });
  }
}

/** The check that fails if every rejection of the operation has the wrong body. */
function checkOfOneRejection(
  operation: Operation,
  { violations }: Misshapen,
  invalid: readonly (Answer | undefined)[],
): string | undefined {
  const { id, bound } = operation;
  if (rejectedRequests(operation).length > 0 && violations.some(({ answer }) => invalid.includes(answer)))
    return `${id}/rejections/shape`;
  const condition = bound.find(
    ({ shape, status }) => shape && violations.some(({ answer }) => answer.status === status),
  );
  return condition && `${id}/${condition.id}`;
}

// A cache that keeps a list for a while without regard to limit breaks the rule only when it was filled with a wide
// page, so every page of the run is judged, whatever it was asked for.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const title = "returns at most limit items on every page of the run";
  check(`${id}/answers/limit`, title, { must: list.paged.limit, scope: "paging" }, async (ctx) => {
    const recorded = await answersOf(ctx, id);
    const { itemsIn } = await locate(ctx, id);
    const pages = recorded.flatMap((answer) => {
      const limit = limitAsked(answer);
      return limit === undefined ? [] : [{ answer, limit, count: itemsIn(answer.json).length }];
    });
    for (const { answer, limit, count } of pages) {
      if (count <= limit) continue;
      ctx.note(answer);
      const query = /\?.*/.exec(answer.request.path)?.[0];
      expectThat(false, answer, `returned ${plural(count, "item")} for ${query}`, `at most ${limit}`);
    }
    const most = Math.max(0, ...pages.map(({ count }) => count));
    if (most < 2)
      throw new Inconclusive(
        `no page of this run has more than ${plural(most, "item")}, but this check needs 2`,
      );
  });
}

/** The limit that a successful request asked for; `undefined` unless it is written once, as a plain whole number. */
function limitAsked({ isSuccess, jsonProblem, request }: Answer): number | undefined {
  if (!isSuccess || jsonProblem) return undefined;
  const [asked, ...more] = new URL(request.path, request.origin).searchParams.getAll("limit");
  return more.length === 0 && /^[1-9]\d*$/.test(asked ?? "") ? Number(asked) : undefined;
}
