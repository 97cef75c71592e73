import { Violation } from "../../../fixtures/engine/http/findings.ts";
import type { Basis } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";

/** The title of the checks that ask again. */
export const SAME_QUESTION = "responds in the same way when a request is repeated late in the run";

/** The id of the check that asks an operation again. */
export const sameQuestion = (id: OperationId) => `${id}/same-question`;

/** Fails the one check that names a deployment which accepts its key only sometimes. */
export function expectKeyAlwaysAccepted({ run, info }: CheckContext) {
  const { proof } = run.keyRefusals;
  if (!proof || proof.rejected.operation.id !== info.operation) return;
  const { accepted, rejected } = proof;
  const actual = `${rejected.outcome} to a request with the key, and ${accepted.outcome} to the same request at other times: an instance of the API may not know the key`;
  throw new Violation(rejected, actual, "the same response, whichever instance gets the request", [accepted]);
}

/** Names the check that the invalid requests of an operation create nothing. */
export const leaveNothing = (id: OperationId) => ({
  id: `${id}/rejections/leave-nothing`,
  title: `creates nothing when it refuses ${contract[id].noun} as invalid`,
});

/** What this check rests on for transfers. */
export const TRANSFERS_LEAVE_NOTHING = { must: ["R083", "R086"] } as const satisfies Basis;
