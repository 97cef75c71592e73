import {
  type CheckContext,
  checksIn,
  demand,
  ifDecided,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Change } from "../../../schemas/operation.ts";
import { FRESH } from "../../../schemas/recipe.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { identityIn } from "../authentication/credentials.ts";

const check = checksIn("repeats");

/** More than the connections that a pool usually has: what a rejection does not give back is used up by then. */
const MANY = 17;

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
    const judgeOther = await otherMerchant(ctx);
    const first = await ctx.sendInvalid(id, wrong);
    if (first.kind !== "rejected")
      undecided(`${first.outcome} to the first of the requests that it must reject`);
    const rejected = [first];
    for (let n = 2; n <= MANY; n += 1) {
      // What rejections use up stays used up while the client waits for a busy target.
      let again = await ctx.sendInvalid(id, wrong, { mayBeBusy: true });
      // Any server may fail for a moment.
      if (again.failure || again.statusClass === 5)
        again = await ctx.sendInvalid(id, wrong, { retry: false });
      const actual = `${again.outcome} to the same request that it rejected with ${first.status} before, when it was sent ${n} times`;
      demand(again.kind !== "crashed", again, actual, "the same rejection each time", rejected);
      rejected.push(again);
    }
    const { accepted } = await ctx.control("getProfile");
    const profile = await ctx.send("getProfile", {}, { mayBeBusy: true });
    const actual = `${profile.outcome} after ${MANY} rejections of another request`;
    const isGiven = !accepted || profile.statusClass === 2 || profile.kind === "unavailable";
    demand(isGiven, profile, actual, "the profile, as before", rejected);
    await judgeOther();
  });
}

/**
 * Reads the profile of another merchant, and returns what warns if the API then takes that one for the merchant whose
 * requests it rejected.
 */
async function otherMerchant(ctx: CheckContext): Promise<() => Promise<void>> {
  const isMissing =
    ctx.values.SECOND_SECRET_KEY === undefined || ctx.target.outOfScope.includes("second-merchant");
  const { response: own } = await ctx.control("getProfile");
  const known = isMissing ? undefined : await ifDecided(ctx.other.profile());
  if (!own || !known) return async () => {};
  const theirs = new Map(identityIn(known));
  const differing = identityIn(own).filter(([path, value]) => theirs.get(path) !== value);
  return async () => {
    for (const connection of [{}, { ownConnection: true }] as const) {
      const options = { ...connection, retry: false, mayBeBusy: true } as const;
      const response = await ctx.other.send("getProfile", {}, options);
      const found = new Map(identityIn(response));
      const shown = differing.filter(([path, value]) => found.get(path) === value);
      if (response.statusClass !== 2 || shown.length === 0) continue;
      const what = `the ${shown.map(([path]) => path).join(" and ")} of the merchant of ${MANY} requests that it rejected right before`;
      ctx.warn(`returned to another merchant ${what}`, { critical: true, response });
    }
  };
}
