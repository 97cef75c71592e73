import { setTimeout } from "node:timers/promises";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  demandRejected,
  ifDecided,
  needAnswer,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect } from "../../../schemas/operation.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { responseTo, unknownBearer } from "../authentication/credentials.ts";
import { responseToDefect } from "../requests.ts";

const check = checksIn("repeats");

// Late in the run, after many other calls, and on a new connection, the same question gets the same kind of response.
for (const operation of operations) {
  const { id } = operation;
  const { refused, read, unknownKey: asksKey, requirements } = questionsOf(operation);
  const title = "responds in the same way when a request is repeated late in the run";
  check(`${id}/same-question`, title, { must: requirements }, async (ctx) => {
    await askAll([
      ...(refused ? [() => repeatRefused(ctx, id, refused)] : []),
      ...(asksKey ? [() => repeatUnknownKey(ctx, id)] : []),
      ...(read ? [() => repeatRead(ctx, id)] : []),
    ]);
  });
}

/** Asks every question, and reports one that decided nothing only after the others. */
async function askAll(questions: readonly (() => Promise<void>)[]) {
  const asked: Promise<void>[] = [];
  for (const ask of questions) {
    const answer = ask();
    asked.push(answer);
    await ifDecided(answer);
  }
  await Promise.all(asked);
}

async function repeatRefused(ctx: CheckContext, id: OperationId, refused: Defect) {
  const first = await responseToDefect(ctx, id, refused);
  // Another check decides whether it may be accepted.
  if (isAccepted(first)) return;
  const again = await askAgain(ctx, first, isRefused);
  await expectRefusedAgain(ctx, first, again, refused.what);
}

async function repeatUnknownKey(ctx: CheckContext, id: OperationId) {
  const authorization = unknownBearer(ctx);
  const first = await responseTo(ctx, id, "unknown-key", { authorization, headers: [] });
  if (isAccepted(first)) undecided("a key that was never issued was accepted", `${id}/auth/unknown-key`);
  const again = await askAgain(ctx, first, isRefused);
  await expectRefusedAgain(ctx, first, again, "the key was never issued");
}

async function repeatRead(ctx: CheckContext, id: OperationId) {
  const first = await ctx.ordinary(id);
  const again = await askAgain(ctx, first, ({ kind }) => kind === "done");
  needAnswer(again);
  const before = `the API ${first.outcome} to the same request before`;
  demand(again.kind === "done", again, `${again.outcome} although ${before}`, "a success again", [first]);
}

/** Pause before a question is asked for the last time. */
const PAUSE_MS = 500;

/** Sends a recorded request again; and once more if the response is of another kind, since any server may fail for a moment. */
async function askAgain(
  ctx: CheckContext,
  first: ApiResponse,
  isSameKind: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const second = await ctx.sendAgain(first);
  // If the API now carries out what it rejected before, no further proof is needed.
  if (isSameKind(second) || isAccepted(second)) return second;
  await setTimeout(PAUSE_MS);
  return ctx.sendAgain(first);
}

const isRefused = ({ kind }: ApiResponse) => kind === "rejected";
const isAccepted = ({ kind }: ApiResponse) => kind === "done" || kind === "seems done";

/** Demands that a request that was refused is refused again. */
async function expectRefusedAgain(ctx: CheckContext, first: ApiResponse, again: ApiResponse, what: string) {
  const before = `the API ${first.outcome} to the same request before`;
  needAnswer(again);
  if (isAccepted(again)) await demandRejected(ctx, again, { what: `${what}, and ${before}` });
  const isSame = first.kind === "crashed" || isRefused(again) || isAccepted(again);
  demand(isSame, again, `${again.outcome} although ${before}`, "a rejection again", [first]);
}
