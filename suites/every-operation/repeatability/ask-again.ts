import { setTimeout } from "node:timers/promises";
import type { Built } from "../../../fixtures/engine/http/build.ts";
import { Violation } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectThat, operationOf } from "../../../fixtures/engine/judge/matchers.ts";
import type { Basis } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";

/** Pause before a question is asked for the last time. */
const PAUSE_MS = 500;

/**
 * Sends a recorded request again, byte for byte, on a connection of its own; and once more if the response is of another
 * kind, since any server may fail for a moment. `draft` says what the request could move.
 */
async function askAgain(
  ctx: CheckContext,
  first: ApiResponse,
  draft: Built,
  isSameKind: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const { request } = first;
  const sent = (name: string) => request.headers.find(([key]) => key === name)?.[1] ?? null;
  const reference = ctx.run.builder.referenceIn(first.textSent) ?? draft.reference;
  const send = () =>
    ctx.send(
      operationOf(first),
      {},
      {
        draft: { ...draft, reference },
        retry: false,
        authorization: sent("Authorization"),
        contentType: sent("Content-Type"),
        rawQuery: request.path.split("?")[1] ?? "",
        ownConnection: true,
        ...(request.body && { bytes: request.body }),
      },
    );
  const second = await send();
  // If the API now carries out what it rejected before, no further proof is needed.
  if (isSameKind(second) || second.looksAccepted) return second;
  await setTimeout(PAUSE_MS);
  return send();
}

/** Demands that a request that was refused is refused again. */
export async function expectRefusedAgain(ctx: CheckContext, first: ApiResponse, draft: Built, what: string) {
  const isRefused = (response: ApiResponse) => response.handling === "rejected" && !response.isThrottled;
  const again = await askAgain(ctx, first, draft, isRefused);
  const before = `the API ${first.outcome} to the same request before`;
  expectAnswered(again);
  if (again.looksAccepted) await expectRejected(ctx, again, { what: `${what}, and ${before}` });
  const isSame = first.isCrash || isRefused(again) || again.looksAccepted;
  expectThat(isSame, again, `${again.outcome} although ${before}`, "a rejection again", [first]);
}

/** Demands that a request that was carried out succeeds again. */
export async function expectSuccessAgain(ctx: CheckContext, first: ApiResponse, draft: Built) {
  const again = await askAgain(ctx, first, draft, ({ isSuccess }) => isSuccess);
  expectAnswered(again);
  const before = `the API ${first.outcome} to the same request before`;
  expectThat(again.isSuccess, again, `${again.outcome} although ${before}`, "a success again", [first]);
}

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
  throw new Violation(rejected, actual, "the same answer, whichever instance answers", [accepted]);
}

/** Names the check that the invalid requests of an operation create nothing. */
export const leaveNothing = (id: OperationId) => ({
  id: `${id}/rejections/leave-nothing`,
  title: `creates nothing when it refuses ${contract[id].noun} as invalid`,
});

/** What this check rests on for transfers. */
export const TRANSFERS_LEAVE_NOTHING = { must: ["R083", "R086"] } as const satisfies Basis;
