import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive, missingVariables } from "../../../fixtures/engine/http/findings.ts";
import { outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectAnswered, expectOutcome } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { isUnauthenticated } from "./credentials.ts";

const UNREADABLE = ["html", "undecodable"];
const TEST_KEY = "a test key was sent to the live host";

// Section 5.2 keeps test and live keys apart; that a live host must reject a test key is what the suite's users ask
// for. Only these reads are ever sent to a live host.
for (const { id, noun, effect } of operations) {
  if (effect !== "read") continue;
  const title = `refuses ${noun} on the live host when the key is a test key`;
  const options = { mandate: "mandate", scope: "live-host" } as const;
  check(`${id}/environment/test-key-refused-by-live`, title, options, (ctx) => expectRejectedByLive(ctx, id));
}

/** The live host may have another path form than the deployment under test, so both are tried there. */
async function expectRejectedByLive(ctx: CheckContext, id: OperationId) {
  const baseUrl = liveBaseUrl(ctx);
  const answers = [
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "bare" }),
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "prefixed" }),
  ];
  for (const answer of answers) expectOutcome(!isAccepted(answer), answer, TEST_KEY, "a rejection");
  const found = answers.filter((answer) => !isMissing(answer));
  if (found.length === 0)
    throw new Inconclusive("the live host has this operation under neither path form", {
      advice: "check LIVE_BASE_URL, which is the part before /api/user-service/external/v1/profile",
    });
  const rejection = found.find(isUnauthenticated) ?? found[0] ?? answers[0];
  if (!rejection) return;
  expectAnswered(rejection);
  if (rejection.status === undefined) throw new Inconclusive(`${outcomeOf(rejection)}: nothing was rejected`);
  if (rejection.is2xx && rejection.jsonProblem)
    throw new Inconclusive("the live host returns web pages", { advice: "check LIVE_BASE_URL" });
  if (!isUnauthenticated(rejection))
    ctx.passWeakly(`${outcomeOf(rejection)}, perhaps for another reason than the test key`);
}

/** A login page, a catch-all, an error or an unreadable body may have the status of a success, but shows no one's data. */
function isAccepted(answer: Answer): boolean {
  const isError = /^(error|fail|unauthori)/i.test(String(answer.field("status"))) && !answer.field("data");
  return answer.looksAccepted && !UNREADABLE.includes(answer.jsonProblem?.kind ?? "") && !isError;
}

const isMissing = ({ status }: Answer) => status === 404 || status === 405;

function liveBaseUrl({ target }: CheckContext): string {
  if (target.environment === "live") return target.baseUrl;
  if (target.liveBaseUrl === undefined) throw missingVariables(["LIVE_BASE_URL"]);
  return target.liveBaseUrl;
}
