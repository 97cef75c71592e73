import { setTimeout as pause } from "node:timers/promises";
import { expectAnswered, showingToo } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry, sendWithRetry } from "../../fixtures/run/sending.ts";
import { operations } from "../../schemas/contract.ts";
import { expectKeyRejected } from "./credential-answers.ts";

/** After this many milliseconds a connection is idle, and is used again. */
const IDLE_MS = 20;

// Section 1: every operation requires authentication. A cache, a connection or a thread may remember the last caller.
for (const { id, noun, effect, requirements } of operations) {
  if (effect !== "read") continue;
  const { authentication = [] } = requirements;
  const title = `refuses ${noun} without a key right after the same request with one`;
  check(`${id}/auth/after-valid-key`, title, { must: ["R003", ...authentication] }, async (ctx) => {
    await controlOf(ctx, id);
    const draft = ctx.draft(id);
    const before = await sendWithRetry(ctx, id, {}, { draft });
    await pause(IDLE_MS);
    const answer = await sendInvalidWithRetry(ctx, id, {}, { draft, authorization: null });
    expectAnswered(answer);
    const what = "the same request with a key came right before it";
    await showingToo([before], () => expectKeyRejected(ctx, answer, { what }));
  });
}
