import { type Basis, checksIn, demand, undecided } from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import { findMade } from "../values/find-made.ts";

const check = checksIn("late");

/**
 * Reads that a deployment may reject. They are sent right before the write: what ends a request in another way may leave a
 * worker or a connection in a state that shows the past, or that takes no writes.
 */
const REJECTED_READS = [
  ["listPageProducts", { pageId: UNKNOWN_ID }],
  ["listTransfers", { status: "NoSuchStatus" }],
  ["listRecipients", { status: "NoSuchStatus" }],
] as const;

/**
 * How often the read is sent before and after the write, each time on a connection of its own. A load balancer spreads
 * them over the instances, each of which may have a cache that only its own writes clear.
 */
const BEFORE = 4;
const AFTER = 6;

/**
 * Registers that every read reflects a write. The specification leaves open how soon it does (G17), so nothing is judged before
 * SETTLE_SECONDS have passed. A deployment that still shows how things were before the write then probably repeats its response
 * to the same request.
 */
export function freshAfterWrite(id: OperationId, basis: Basis) {
  const { noun, effect, foundBy }: Operation = contract[id];
  if (!foundBy) throw new Error(`${id} declares no read that finds what it makes`);
  const title = `reflects ${noun} in every response after SETTLE_SECONDS, even if the same request was sent before it, too`;
  const options = { ...basis, ...(effect === "money" && { pays: 1 }) };
  check(`${id}/fresh-after-write`, title, options, async (ctx) => {
    const control = await ctx.ordinary(id);
    const draft = ctx.draft(id);
    const value = String(draft.body?.[foundBy.field]);
    const look = () => findMade(ctx, id, value, { ownConnection: true, alone: true });
    // Requests of other checks in between could lead these to fewer instances.
    const lookTimes = (times: number) =>
      ctx.run.client.alone(async () => {
        const looks: Awaited<ReturnType<typeof look>>[] = [];
        while (looks.length < times) looks.push(await look());
        return looks;
      });
    const before = [await findMade(ctx, id, value), ...(await lookTimes(BEFORE - 1))];
    const early = before.find(({ isShown }) => isShown)?.response;
    if (early) undecided(`${early.outcome} as if this new ${foundBy.field} existed already`);
    const reads = await Promise.all(
      REJECTED_READS.filter(([list]) => !ctx.target.outOfScope.includes(list)).map(([list, query]) =>
        ctx.sendInvalid(list, { query }, { retry: false, mayBeBusy: true }),
      ),
    );
    const rejected = reads.filter(({ kind }) => kind !== "done");
    const written = await ctx.send(id, {}, { draft });
    if (written.kind !== "done")
      undecided(`${written.outcome}, so there is no new record to look for`, `${id}/accepted`);
    await ctx.run.settling.all();
    const looks = await lookTimes(AFTER);
    const stale = looks.filter(({ isShown }) => !isShown);
    const [found = stale[0]] = stale;
    if (!found) return;
    // If the read never shows such records, other checks say so.
    const first = ctx.run.builder.referenceIn(control.textSent) ?? "";
    if (stale.length === AFTER && !(await findMade(ctx, id, first)).isShown)
      undecided(`${foundBy.read} never shows ${noun} of this run by its ${foundBy.field}`);
    const { settleMs, settleIsPromised } = ctx.target;
    const actual = `did not reflect ${noun} in ${stale.length} of ${AFTER} responses on new connections, ${settleMs / 1000} s after it was accepted; the same request had been sent ${BEFORE} times before it, too`;
    if (!settleIsPromised)
      undecided(`the API ${actual}`, {
        advice: "set SETTLE_SECONDS to the time after which every response must reflect it",
      });
    demand(false, found.response, actual, "every response to reflect it", [
      ...before.map(({ response }) => response),
      ...rejected,
      written,
    ]);
  });
}
