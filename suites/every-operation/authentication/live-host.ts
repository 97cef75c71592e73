import { missingVariables } from "../../../fixtures/engine/http/findings.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  needAnswer,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { isUnauthenticated } from "./credentials.ts";

const UNREADABLE = ["html", "undecodable"];

const TEST_KEY = "a test key was sent to the live host";

/** The live host may have another path form than the deployment under test, so both are tried there. */
export async function expectRejectedByLive(ctx: CheckContext, id: OperationId) {
  const baseUrl = liveBaseUrl(ctx);
  const responses = [
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "bare", mayBeBusy: true }),
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "prefixed", mayBeBusy: true }),
  ];
  for (const response of responses)
    demand(!isAccepted(response), response, `${response.outcome} although ${TEST_KEY}`, "a rejection");
  const found = responses.filter((response) => !isMissing(response));
  if (found.length === 0)
    undecided("the live host has this operation under neither path form", {
      advice: "check LIVE_BASE_URL, which is the part before /api/user-service/external/v1/profile",
    });
  const rejection = found.find(isUnauthenticated) ?? found[0] ?? responses[0];
  if (!rejection) return;
  needAnswer(rejection);
  if (rejection.status === undefined) undecided(`${rejection.outcome}: nothing was rejected`);
  if (rejection.statusClass === 2 && rejection.jsonProblem)
    undecided("the live host returns web pages", { advice: "check LIVE_BASE_URL" });
  if (!isUnauthenticated(rejection))
    ctx.passWeakly(`${rejection.outcome}, perhaps for another reason than the test key`);
}

/** A login page, a catch-all, an error or an unreadable body may have the status of a success, but shows no one's data. */
function isAccepted(response: ApiResponse): boolean {
  const isError =
    /^(error|fail|unauthori)/i.test(String(response.field("status"))) && !response.field("data");
  return response.saysDone && !UNREADABLE.includes(response.jsonProblem?.kind ?? "") && !isError;
}

const isMissing = ({ status }: ApiResponse) => status === 404 || status === 405;

function liveBaseUrl({ target }: CheckContext): string {
  if (target.environment === "live") return target.baseUrl;
  if (target.liveBaseUrl === undefined) throw missingVariables(["LIVE_BASE_URL"]);
  return target.liveBaseUrl;
}
