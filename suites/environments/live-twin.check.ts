import { Inconclusive, missingVariables } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectNotAccepted, expectStatus } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { isUnauthenticated } from "../authentication/credential-answers.ts";

const TEST_KEY = "a test key was sent to the live host";

// Section 5.2 keeps test and live keys apart; that a live host must reject a test key is what the suite's users ask
// for. Only these reads are ever sent to a live host.
for (const { id, noun, effect } of operations) {
  if (effect !== "read") continue;
  const title = `refuses ${noun} on the live host when the key is a test key`;
  const options = { mandate: "mandate", scope: "live-host" } as const;
  check(`${id}/environment/test-key-refused-by-live`, title, options, (ctx) => expectRejectedByLive(ctx, id));
}

async function expectRejectedByLive(ctx: CheckContext, id: OperationId) {
  const answer = await sendInvalidWithRetry(ctx, id, {}, { baseUrl: liveBaseUrl(ctx) });
  expectAnswered(answer);
  if (answer.status === undefined) throw new Inconclusive(`${outcomeOf(answer)}: nothing was rejected`);
  if (401 in answer.operation.responses) return expectStatus(answer, 401, TEST_KEY);
  expectNotAccepted(answer, TEST_KEY);
  if (!isUnauthenticated(answer))
    ctx.passWeakly(`${outcomeOf(answer)}, perhaps for another reason than the test key`);
}

function liveBaseUrl({ target }: CheckContext): string {
  if (target.environment === "live") return target.baseUrl;
  if (target.liveBaseUrl === undefined) throw missingVariables(["LIVE_BASE_URL"]);
  return target.liveBaseUrl;
}
