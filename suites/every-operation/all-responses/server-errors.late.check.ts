import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive, Violation } from "../../../fixtures/engine/http/findings.ts";
import { outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { documentedSuccess } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { answerTo } from "../authentication/credentials.ts";
import { failedThoughAccepted, hasTwin, isAllowed, isOwnFailure, kindOfRequest } from "./failures.ts";
import { hasNoValidKey } from "./judged-answers.ts";
import { enoughAnswers } from "./recorded-answers.ts";

/** How many failed requests a check keeps as evidence. */
const KEPT = 3;

// Every response of the run is judged, whichever check asked for it, also those to simultaneous requests.
for (const operation of operations) {
  const { id, noun, effect, requirements, responses } = operation;
  const { recordedRejection, singleUse, fieldProbes } = operation;

  const noError = "answers every request that the specification allows in time and without a server error";
  check(`${id}/answers/no-server-error`, noError, { critical: "practice" }, async (ctx) => {
    const allowed = await allowedRequests(ctx, id);
    const failed = allowed.filter((answer) => answer.isServerError || answer.isUnanswered);
    expectNone(ctx, failed, `${plural(allowed.length, "request")} that the specification allows`);
  });

  if (401 in responses) {
    const title = "answers no request without a valid key with a server error";
    const must = ["R003", ...(requirements.authentication ?? [])] as const;
    check(`${id}/answers/no-server-error-without-key`, title, { must }, async (ctx) => {
      await answerTo(ctx, id, "no-header", { authorization: null });
      const keyless = ctx.run.answersTo(id).filter((answer) => hasNoValidKey(answer, ctx.target));
      expectNone(
        ctx,
        keyless.filter(isOwnFailure),
        `${plural(keyless.length, "request")} without a valid key`,
      );
    });
  }

  // The suite sends an undocumented request once, and what serves once, or looks like a duplicate, may be rejected.
  const mayBeDuplicate = effect === "money" && !recordedRejection;
  if (singleUse || fieldProbes === "none" || mayBeDuplicate) continue;
  const steady = `goes on accepting ${noun} that it accepted before`;
  check(`${id}/answers/steady`, steady, { must: ["R111"] }, async (ctx) => {
    const control = await requireControl(ctx, id);
    if (effect === "create" && !hasTwin(ctx, control)) await ctx.send(id, {}, { retry: false });
    const allowed = await allowedRequests(ctx, id);
    const kinds = groupBy(allowed, (answer) => kindOfRequest(ctx, answer));
    for (const twins of kinds.values()) expectSteady(ctx, twins);
    for (const { operation: varied, answer, plain } of ctx.run.varied)
      if (varied === id && isOwnFailure(answer) && plain?.isSuccess)
        throw refused(answer, plain, "with other values");
  });
}

/** The answers to all requests of the run that the specification allows; throws the reason if there are none. */
async function allowedRequests(ctx: CheckContext, id: OperationId): Promise<Answer[]> {
  const { notTested } = await enoughAnswers(ctx, id);
  const allowed = ctx.run.answersTo(id).filter((answer) => isAllowed(answer, ctx.target));
  if (allowed.length > 0) return allowed;
  throw notTested ?? new Inconclusive("no request that the specification allows was sent");
}

function expectNone(ctx: CheckContext, failed: readonly Answer[], requests: string) {
  const [first] = failed;
  if (!first) return;
  for (const answer of failed.slice(0, KEPT)) ctx.note(answer);
  const errors = failed.filter(({ isServerError }) => isServerError).length;
  const silent = failed.length - errors;
  const parts = [
    ...(errors > 0 ? [plural(errors, "server error")] : []),
    ...(silent > 0 ? [`no response to ${silent}`] : []),
  ];
  const query = /\?.*/.exec(first.request.path)?.[0];
  const actual = `gave ${parts.join(" and ")} in ${requests}; the first ${outcomeOf(first)}${query ? ` for ${query}` : ""}`;
  throw new Violation(first, actual, "none");
}

function expectSteady(ctx: CheckContext, twins: readonly Answer[]) {
  const found = failedThoughAccepted(ctx, twins);
  if (found) throw refused(found.failed, found.other, found.when);
}

const refused = (failed: Answer, accepted: Answer, when: string) =>
  new Violation(
    failed,
    `${outcomeOf(failed)} to a valid request, and accepted the same request ${when}`,
    documentedSuccess(failed),
    [accepted],
  );
