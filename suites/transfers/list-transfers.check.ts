import {
  type CheckContext,
  checksUnder,
  demand,
  listOf,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { lookUp } from "./own-transfers.ts";
import { listedUnder } from "./repeated-transfer.ts";
import { lastingIn, misplacedIn, overlapsOf, readSets, statusPath } from "./shown-status.ts";

const LIST = "listTransfers";
const ID = "createTransfer";
const check = checksUnder(LIST);
const scope = "paging";
const must = { must: ["R011", "R019"], scope } as const;

// Section 4.8: what the status filter selects.
const STATUS_FILTER_SHOWS_ONLY_THAT_STATUS = "lists only transfers with the status that is asked for";
check("status-filter-shows-only-that-status", STATUS_FILTER_SHOWS_ONLY_THAT_STATUS, must, async (ctx) => {
  const path = await statusPath(ctx);
  // Without a status field, or if all transfers have the same status, only this can be seen.
  if (path === undefined) return expectDisjoint(ctx);
  const { identity = JSON.stringify } = await listOf(ctx, LIST).located();
  // The API may find out how a transfer ended while it lists it, and a later attempt of the same transfer may come after that.
  const [wrong] = await lastingIn(ctx, (sets) => misplacedIn(sets, path, identity));
  if (!wrong) return;
  const actual = `lists a transfer with the status ${wrong.shown} under status=${wrong.status}`;
  // Two attempts may be equal in all that they show.
  if (wrong.areAttempts) undecided(`${actual}, perhaps each time another attempt of it`);
  demand(false, wrong.response, actual, `only transfers with the status ${wrong.status}`);
});

async function expectDisjoint(ctx: CheckContext) {
  const identity = await listOf(ctx, LIST).identity();
  // A transfer may change its status between two reads (section 3).
  const overlaps = await lastingIn(ctx, (sets) => {
    if (sets.every(({ items }) => items.length === 0)) undecided("no status finds any transfer");
    return overlapsOf(sets, identity);
  });
  const [first] = overlaps;
  if (!first) return;
  const { one, other } = first;
  const common = overlaps.filter((overlap) => overlap.one === one && overlap.other === other).length;
  const actual = `lists ${plural(common, "transfer")} both under status=${one.status} and under status=${other.status}`;
  demand(false, other.response, actual, "each transfer under one status only", [one.response]);
}

/** A longer list takes too many reads. */
const MOST_TRANSFERS = 500;

const PART_OF_ALL = "lists without a filter every transfer that a filter finds";
const OF_BOTH = { critical: ["R011", "R054"], scope: "paging" } as const;
check("status-sets-are-part-of-all", PART_OF_ALL, OF_BOTH, async (ctx) => {
  const { response: sent } = await ctx.control(ID);
  const transferReference = sent?.kind === "done" ? sent.referenceSent : undefined;
  const identity = await listOf(ctx, LIST).identity();
  const { widest } = await listOf(ctx, LIST).sizes();
  // The API may return fewer than it is asked for.
  const { length } = (await listOf(ctx, LIST).first()).items;
  const look = async () => {
    const own = transferReference === undefined ? [] : [await listedUnder(ctx, transferReference)];
    const sets = (await readSets(ctx)).map((set) => ({ ...set, filter: `status=${set.status}` }));
    // The whole list is read last, so transfers that others add meanwhile can only be missing from the sets.
    const all = await listOf(ctx, LIST).whole(MOST_TRANSFERS / Math.min(widest, Math.max(1, length)));
    if (!all) undecided(`the list has more than ${MOST_TRANSFERS} transfers: too many to read`);
    const known = new Set(all.flatMap((page) => page.items.map(identity)));
    const pages = all.map(({ response }) => response);
    const found = [
      ...sets,
      ...own.map((page) => ({ ...page, filter: `transferReference=${transferReference}` })),
    ];
    return found.flatMap(({ items, filter, response }) => {
      const lacking = items.map(identity).filter((item) => !known.has(item));
      return lacking.map((item) => ({ filter, response, pages, key: `${filter} ${item}` }));
    });
  };
  const hidden = await ctx.run.settling.lasting(look, ({ key }) => key);
  // Rows under Unverified may be those of attempts, which the whole list need not show.
  const first = hidden.find(({ filter }) => filter !== OF_ATTEMPTS) ?? hidden[0];
  if (!first) return;
  const { filter, response, pages } = first;
  const number = hidden.filter((one) => one.filter === filter).length;
  const actual = `lists ${plural(number, "transfer")} for ${filter} that the whole list lacks`;
  const expected = "every transfer in the list without a filter";
  if (filter !== OF_ATTEMPTS) demand(false, response, actual, expected, pages);
  ctx.warn(`${actual}; expected ${expected}`, { response });
});

const OF_ATTEMPTS = "status=Unverified";

const options = { must: contract[LIST].list.paged.page, scope: "paging" } as const;

const FILTERED_NEW_TRANSFER = "shows a new transfer on the pages of its status";
check("paging/filtered-new-transfer", FILTERED_NEW_TRANSFER, options, async (ctx) => {
  const { isShown, response, status } = await ctx.run.settling.until(
    () => lookUp(ctx),
    (found) => found.isShown,
  );
  const actual = `shows a transfer of this run for its reference and status=${status}, but on no page of status=${status}`;
  demand(isShown, response, actual, "the transfer on one of the pages");
});
