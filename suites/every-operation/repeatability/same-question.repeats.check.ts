import { Inconclusive, NotTested } from "../../../fixtures/engine/http/findings.ts";
import { expectAnswered } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect } from "../../../schemas/operation.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { responseTo, unknownKey } from "../authentication/credentials.ts";
import { harmless, responseToDefect } from "../statuses-and-bodies/requests.ts";
import {
  expectKeyAlwaysAccepted,
  expectRefusedAgain,
  expectSuccessAgain,
  SAME_QUESTION,
  sameQuestion,
} from "./ask-again.ts";

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
  const authorization = `Bearer ${unknownKey(ctx.run.settings.runId)}`;
  const first = await responseTo(ctx, id, "unknown-key", { authorization, headers: [] });
  if (first.looksAccepted)
    throw new Inconclusive("a key that was never issued was accepted", `${id}/auth/unknown-key`);
  await expectRefusedAgain(ctx, first, harmless(ctx, id), "the key was never issued");
}

async function repeatRead(ctx: CheckContext, id: OperationId) {
  await expectSuccessAgain(ctx, await requireControl(ctx, id), ctx.draft(id));
}
