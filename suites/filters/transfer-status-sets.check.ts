import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, TooFew } from "../../fixtures/http/findings.ts";
import { expectItems, expectThat } from "../../fixtures/judge/matchers.ts";
import type { Identity } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { widestLimit } from "../../fixtures/lists/query.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { readTolerated } from "../pagination/reads.ts";
import { blindStatuses, expectDisjoint, overlapOf, readSets, statusAt, statusPath } from "./transfer-sets.ts";

const LIST = "listTransfers";
const scope = "paging";
const must = { must: ["R011", "R019"], scope } as const;

/** A longer list takes too many reads. */
const MOST_TRANSFERS = 500;

// Section 4.8: what the status filter selects.
check(
  "listTransfers/status-filter-shows-only-that-status",
  "lists only transfers with the status that is asked for",
  must,
  async (ctx) => {
    const path = await statusPath(ctx);
    if (path === undefined) return requireSplit(ctx);
    for (const status of TRANSFER_STATUSES) {
      const { answer, items } = await readFiltered(ctx, LIST, { status });
      const shown = items.map((item) => statusAt(item, path)).filter((value) => value !== undefined);
      const other = shown.find((value) => value !== status.toLowerCase());
      const actual = `lists a transfer with the status ${other} under status=${status}`;
      expectThat(other === undefined, answer, actual, `only transfers with the status ${status}`);
    }
  },
);

check("listTransfers/status-sets-disjoint", "lists a transfer under one status only", must, (ctx) =>
  expectDisjoint(ctx),
);

check(
  "listTransfers/status-sets-are-part-of-all",
  "lists under a status only transfers that the whole list has as well",
  { should: ["R011"], scope },
  async (ctx) => {
    const identity = await identityOf(ctx, LIST);
    // The whole list is read last, so transfers that others add meanwhile can only be missing from the sets.
    const sets = await readSets(ctx);
    const all = await readWholeList(ctx, identity);
    for (const { answer, items, status } of sets) {
      const unknown = items.filter((item) => !all.identities.has(identity(item))).length;
      const actual = `lists ${plural(unknown, "transfer")} under status=${status} that the whole list lacks`;
      expectThat(unknown === 0, answer, actual, "only transfers of the whole list", all.answers);
    }
  },
);

check(
  "listTransfers/status-filters-find",
  "lists each transfer under its status",
  { critical: ["R011", "R019"], scope },
  async (ctx) => {
    let blind: Awaited<ReturnType<typeof blindStatuses>> | undefined;
    const look = async () => {
      const found = await blindStatuses(ctx);
      blind = found.filter(({ status }) => !blind || blind.some((known) => known.status === status));
      return blind;
    };
    const [still] = await ctx.run.settling.until(look, (found) => found.length === 0);
    if (!still) return;
    const when = `status=${still.status}, although the whole list has transfers with this status`;
    expectItems(still, when, "each transfer under its status", [still.whole]);
  },
);

/**
 * Without a status field, or if all transfers have the same status, only this can be seen: no transfer is found under two
 * statuses, so each filter leaves out what another one finds. Throws `Inconclusive` if one is, or if none is found.
 */
async function requireSplit(ctx: CheckContext) {
  const sets = (await readSets(ctx)).filter(({ items }) => items.length > 0);
  if (sets.length > 0 && !overlapOf(sets, await identityOf(ctx, LIST))) return;
  throw new TooFew(
    "no field of the transfers can be recognised as their status, or all statuses are the same",
  );
}

/** Reads the whole list, from page 0 or 1 to its end; throws `Inconclusive` if it is too long. */
async function readWholeList(ctx: CheckContext, identity: Identity) {
  const limit = await widestLimit(ctx, LIST);
  const all = { identities: new Set<string>(), answers: [] as Answer[] };
  for (let page = 0; page <= MOST_TRANSFERS / limit + 1; page += 1) {
    const { answer, items } = await readTolerated(ctx, LIST, { limit, page });
    if (page > 0 && items.length === 0) break;
    all.answers.push(answer);
    for (const item of items) all.identities.add(identity(item));
    if (all.identities.size > MOST_TRANSFERS)
      throw new Inconclusive(`the list has more than ${MOST_TRANSFERS} transfers: too many to read them all`);
  }
  return all;
}
