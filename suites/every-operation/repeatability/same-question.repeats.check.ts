import { setTimeout } from "node:timers/promises";
import type { Built } from "../../../fixtures/engine/http/build.ts";
import { Inconclusive, NotTested } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectThat, operationOf } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect } from "../../../schemas/operation.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { expectKeyAlwaysAccepted, SAME_QUESTION, sameQuestion } from "../all-responses/final-looks.ts";
import { responseTo, unknownBearer } from "../authentication/credentials.ts";
import { harmless, responseToDefect } from "../statuses-and-bodies/requests.ts";

// Late in the run, after many other calls, and on a new connection, the same question gets the same kind of response.
for (const operation of operations) {
  const { id } = operation;
  const { refused, read, unknownKey: asksKey, requirements } = questionsOf(operation);
  check(sameQuestion(id), SAME_QUESTION, { must: requirements }, async (ctx) => {
    expectKeyAlwaysAccepted(ctx);
    await askAll([
      ...(refused ? [() => repeatRefused(ctx, id, refused)] : []),
      ...(asksKey ? [() => repeatUnknownKey(ctx, id)] : []),
      ...(read ? [() => repeatRead(ctx, id)] : []),
    ]);
  });
}

/** Asks every question, and reports one that decided nothing only after the others. */
async function askAll(questions: readonly (() => Promise<void>)[]) {
  const undecided: Error[] = [];
  for (const ask of questions) {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Inconclusive || error instanceof NotTested)) throw error;
      undecided.push(error);
    }
  }
  if (undecided[0]) throw undecided[0];
}

async function repeatRefused(ctx: CheckContext, id: OperationId, { change, what }: Defect) {
  const first = await responseToDefect(ctx, id, { change, what });
  expectAnswered(first);
  // Another check decides whether it may be accepted.
  if (!first.looksAccepted)
    await expectRefusedAgain(ctx, first, ctx.draft(id, change, { invalid: true }), what);
}

async function repeatUnknownKey(ctx: CheckContext, id: OperationId) {
  const authorization = unknownBearer(ctx);
  const first = await responseTo(ctx, id, "unknown-key", { authorization, headers: [] });
  if (first.looksAccepted)
    throw new Inconclusive("a key that was never issued was accepted", `${id}/auth/unknown-key`);
  await expectRefusedAgain(ctx, first, harmless(ctx, id), "the key was never issued");
}

async function repeatRead(ctx: CheckContext, id: OperationId) {
  const first = await requireControl(ctx, id);
  const again = await askAgain(ctx, first, ctx.draft(id), ({ isSuccess }) => isSuccess);
  expectAnswered(again);
  const before = `the API ${first.outcome} to the same request before`;
  expectThat(again.isSuccess, again, `${again.outcome} although ${before}`, "a success again", [first]);
}

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
async function expectRefusedAgain(ctx: CheckContext, first: ApiResponse, draft: Built, what: string) {
  const isRefused = (response: ApiResponse) => response.handling === "rejected" && !response.isThrottled;
  const again = await askAgain(ctx, first, draft, isRefused);
  const before = `the API ${first.outcome} to the same request before`;
  expectAnswered(again);
  if (again.looksAccepted) await expectRejected(ctx, again, { what: `${what}, and ${before}` });
  const isSame = first.isCrash || isRefused(again) || again.looksAccepted;
  expectThat(isSame, again, `${again.outcome} although ${before}`, "a rejection again", [first]);

  // The same defect is in the same fields each time: any other field is left over from another request.
  const [earlier, later] = [namedIn(first), namedIn(again)];
  const common = later.filter((name) => earlier.includes(name));
  const named = [...earlier, ...later].find((name) => !common.includes(name));
  if (common.length > 0 && named !== undefined)
    ctx.warn(`named ${named} in errors only one of the two times that it rejected the same request`, {
      critical: true,
    });
}

/** The fields that a rejection names as wrong (section 7, shapes A and B). */
const namedIn = (response: ApiResponse): string[] => Object.keys(Object(response.field("errors")));
