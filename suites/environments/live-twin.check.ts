import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { Inconclusive, lacking } from "../../fixtures/findings.ts";
import { attemptPatiently, judgeNotCarriedOut } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";

// Section 5.2 keeps test and live keys apart; that a live host refuses a test key is the users' mandate.
// Nothing but these reads is ever sent to a live host.
for (const { id, effect } of operations) {
  if (effect !== "read") continue;
  check(
    `${id}/environment/test-key-refused-by-live`,
    { level: "MUST", basis: "mandate", source: "mandate", scope: "live-host" },
    (bench) => refusedByLive(bench, id),
  );
}

async function refusedByLive(bench: Bench, id: OperationId) {
  const answer = await attemptPatiently(bench, id, {}, { baseUrl: liveBaseUrl(bench) });
  judgeAnswered(answer);
  if (answer.status === undefined) throw new Inconclusive(`${outcomeOf(answer)}: nothing was refused`);
  if (401 in answer.operation.responses) {
    if (answer.status !== 401)
      throw violation(answer, `${outcomeOf(answer)} to a test key on the live host`, "401");
    return;
  }
  judgeNotCarriedOut(answer, "a test key was sent to the live host");
  if (answer.status !== 401 && answer.status !== 403) {
    bench.weak(`${outcomeOf(answer)}, which may be about something else than the test key`);
  }
}

function liveBaseUrl({ target }: Bench): string {
  if (target.environment === "live") return target.baseUrl;
  if (target.liveBaseUrl === undefined) throw lacking(["LIVE_BASE_URL"]);
  return target.liveBaseUrl;
}
