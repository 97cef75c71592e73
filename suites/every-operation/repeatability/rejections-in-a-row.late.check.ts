import { setTimeout } from "node:timers/promises";
import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { cardField } from "../every-operation/statuses-and-bodies/requests.ts";

const ID = "createCardTransaction";

/** Enough for a circuit breaker that takes declines for failures of the service behind it. */
const DECLINES = 5;

/** Any server may fail for a moment; a breaker stays open for longer. */
const PAUSE_MS = 500;

// A deployment may block a card or a customer whose card is declined so often, so this comes late in the run, and any
// rejection is right. It must not fail, though, for a card that nobody declined.
check(
  `${ID}/after-declined-cards`,
  "does not fail on a payment right after it declined another card several times",
  { critical: "practice", pays: [0, DECLINES + 1], probe: true },
  async (ctx) => {
    ctx.needProbeWrites();
    const cardNumber = cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER"));
    await requireControl(ctx, ID);
    if (ctx.run.responsesTo(ID).some(({ isThrottled }) => isThrottled))
      throw new Inconclusive("the API limits card payments, so it may limit the next ones for that reason");
    const declined: ApiResponse[] = [];
    while (declined.length < DECLINES && !declined.at(-1)?.isCrash)
      declined.push(await ctx.send(ID, { body: { cardNumber } }));
    const [first] = declined;
    if (first?.isCrash)
      throw new Inconclusive(`a payment by the declining card ${first.fate}`, `${ID}/declining-card`);
    const payment = await ctx.send(ID);
    ctx.observe("N40", `a payment right after ${declined.length} by the declining card ${payment.fate}`);
    if (!payment.isCrash) return;
    await setTimeout(PAUSE_MS);
    const again = await ctx.send(ID);
    const actual = `${payment.outcome}, and then ${again.outcome} to an ordinary payment, after ${declined.length} by a card that it declines`;
    expectThat(!again.isCrash, again, actual, "a response below 500", [...declined, payment]);
  },
);
