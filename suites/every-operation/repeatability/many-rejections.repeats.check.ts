import { setTimeout } from "node:timers/promises";
import { pauseAfter } from "../../../fixtures/engine/http/client.ts";
import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { expectAnswered, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Change } from "../../../schemas/operation.ts";
import { FRESH } from "../../../schemas/recipe.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";

/** More than the connections that a pool usually has: what a rejection does not give back is used up by then. */
const MANY = 34;

/** How often a check waits if the deployment limits requests. */
const MOST_WAITS = 6;

/** Rejections for which a deployment looks a record up, and which cost nothing. */
const LOOK_UPS: readonly {
  readonly id: OperationId;
  readonly must: readonly RequirementId[];
  readonly change: (ctx: CheckContext) => Change;
}[] = [
  {
    id: "refundTransaction",
    must: ["R048"],
    change: () => ({ body: { transactionRef: FRESH, amount: 100 } }),
  },
  { id: "getDispute", must: ["R081"], change: () => ({ query: { transactionRef: FRESH } }) },
  {
    id: "checkCustomLink",
    must: ["R077"],
    change: (ctx) => ({ body: { customLink: ctx.need("EXISTING_CUSTOM_LINK") } }),
  },
];

for (const { id, must, change } of LOOK_UPS) {
  const title = `responds as before after it rejected ${MANY} requests in a row`;
  check(`${id}/many-rejections`, title, { must }, async (ctx) => {
    const wrong = change(ctx);
    const first = await ctx.sendInvalid(id, wrong);
    if (first.handling !== "rejected" || first.isThrottled)
      throw new Inconclusive(`${first.outcome} to the first of the requests that it must reject`);
    let waits = 0;
    for (let n = 2; n <= MANY; n += 1) {
      let again = await ctx.sendInvalid(id, wrong, { retry: false });
      // Waiting hides nothing: what rejections use up stays used up.
      for (; again.isThrottled && waits < MOST_WAITS; waits += 1) {
        await setTimeout(pauseAfter(again));
        again = await ctx.sendInvalid(id, wrong, { retry: false });
      }
      // Any server may fail for a moment.
      if (again.isCrash) again = await ctx.sendInvalid(id, wrong, { retry: false });
      expectAnswered(again);
      const actual = `${again.outcome} to the same request that it rejected with ${first.status} before, when it was sent for the ${n}th time`;
      expectThat(!again.isCrash, again, actual, "the same rejection each time", [first]);
    }
    const { accepted } = await controlOf(ctx, "getProfile");
    const profile = await ctx.send("getProfile");
    const actual = `${profile.outcome} after ${MANY} rejections of another request`;
    expectThat(!accepted || profile.is2xx || profile.isThrottled, profile, actual, "the profile, as before");
  });
}
