import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { settle } from "../../fixtures/lists/counting.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { itemsAt, pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { type Page, readFiltered, readPage, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import { type Query, widestLimit } from "../../fixtures/lists/query.ts";
import { readStable, untilStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { judgeFilteredPages } from "./filtered-pages.ts";

const LIST = "listTransfers";
const scope = "paging";

for (const status of TRANSFER_STATUSES) {
  check(`listTransfers/status-${status}-accepted`, "TITLE", { must: ["R011", "R019"] }, (ctx) =>
    sendAccepted(ctx, LIST, { query: { status } }, { ownData: true }),
  );
}

check("listTransfers/filters-accepted", "TITLE", { must: ["R011", "R054"] }, async (ctx) => {
  const transferReference = ctx.run.builder.fresh();
  await sendAccepted(ctx, LIST, { query: { transferReference } }, { ownData: true });
  await sendAccepted(ctx, LIST, { query: { transferReference, status: "Successful" } }, { ownData: true });
});

check(
  "listTransfers/reference-unknown-finds-nothing",
  "TITLE",
  { must: ["R011", "R054"], scope },
  async (ctx) => {
    const transferReference = ctx.run.builder.fresh();
    for (const besides of [{}, ...TRANSFER_STATUSES.map((status) => ({ status }))]) {
      const { answer, items } = await readFiltered(ctx, LIST, { transferReference, ...besides });
      if (items.length > 0)
        throw new Violation(
          answer,
          `answered ${items.length} items to a transferReference that was never used`,
          "no items: the filter is ignored",
        );
    }
  },
);

check("listTransfers/status-unknown/filtered", "TITLE", { must: ["R011", "R059"], scope }, async (ctx) => {
  const answer = await sendWithRetry(ctx, LIST, { query: { status: "Bogus" } });
  expectAnswered(answer);
  if (!answer.isSuccess) return;
  const { length } = itemsAt(answer.json, (await locate(ctx, LIST)).pointer);
  if (length > 0) throw new Violation(answer, `answered ${length} items to status=Bogus`, "400, or no items");
});

check("listTransfers/status-unknown/status", "TITLE", { should: ["R011", "R059"] }, async (ctx) => {
  const answer = await sendWithRetry(ctx, LIST, { query: { status: "Bogus" } });
  expectAnswered(answer);
  if (answer.status !== 400) throw new Violation(answer, `${outcomeOf(answer)} to status=Bogus`, "400");
});

check("listTransfers/status-lower-case", "TITLE", { observe: "G20" }, async (ctx) => {
  const answer = await sendWithRetry(ctx, LIST, { query: { status: "successful" } });
  ctx.observe("G20", `status=successful in lower case ${outcomeOf(answer)}`);
});

check(
  "listTransfers/status-filter-shows-only-that-status",
  "TITLE",
  { must: ["R011", "R019"], scope },
  async (ctx) => {
    const path = await statusPath(ctx);
    if (path === undefined) {
      // Nothing shown can contradict the filter; that it splits the list is what can be seen of it.
      const sets = (await readSets(ctx)).filter(({ items }) => items.length > 0);
      if (sets.length > 1 && !overlapOf(sets, await identityOf(ctx, LIST))) return;
      throw new Inconclusive(
        "no field of the transfers can be told to be their status, or their statuses are all alike",
      );
    }
    for (const status of TRANSFER_STATUSES) {
      const { answer, items } = await readFiltered(ctx, LIST, { status });
      const other = items
        .map((item) => statusAt(item, path))
        .find((value) => value !== undefined && value !== status.toLowerCase());
      if (other !== undefined)
        throw new Violation(
          answer,
          `shows a transfer that is ${other} under status=${status}`,
          `only transfers that are ${status}`,
        );
    }
  },
);

check("listTransfers/status-sets-disjoint", "TITLE", { must: ["R011", "R019"], scope }, async (ctx) => {
  await judgeDisjoint(ctx);
});

check(
  "listTransfers/status-sets-disjoint-for-reference",
  "TITLE",
  { must: ["R011", "R019"], scope },
  async (ctx) => {
    for await (const filter of referenceFilters(ctx)) {
      await judgeDisjoint(ctx, filter);
      return;
    }
    throw new Inconclusive("no transfer is found by a reference that the list shows");
  },
);

check("listTransfers/status-sets-are-part-of-all", "TITLE", { should: ["R011"], scope }, async (ctx) => {
  const identity = await identityOf(ctx, LIST);
  const limit = await widestLimit(ctx, LIST);
  // The whole list is read last: what others add meanwhile can then be missing from the sets alone.
  const sets = await readSets(ctx);
  const all = new Set<string>();
  for (let page = 0; page <= 500 / limit + 1; page += 1) {
    const answer = await sendWithRetry(ctx, LIST, { query: { limit, page } });
    expectAnswered(answer);
    const items = answer.isSuccess ? itemsAt(answer.json, (await locate(ctx, LIST)).pointer) : [];
    if (page > 0 && items.length === 0) break;
    for (const item of items) all.add(identity(item));
    if (all.size > 500) throw new Inconclusive("more than 500 transfers: too many to read them all");
  }
  for (const { answer, items, status } of sets) {
    const unknown = items.filter((item) => !all.has(identity(item))).length;
    if (unknown > 0)
      throw new Violation(
        answer,
        `shows ${unknown} transfers under status=${status} that the whole list lacks`,
        "only transfers of the whole list",
      );
  }
});

check(
  "listTransfers/status-filter-with-paging",
  "TITLE",
  { should: ["R011", "R057"], scope },
  async (ctx) => {
    const identity = await identityOf(ctx, LIST);
    const sets = await readSets(ctx);
    const most = sets.toSorted((a, b) => b.items.length - a.items.length)[0];
    if (!most || most.items.length < 3) throw new Inconclusive("no status has 3 transfers: seed more data");
    const { status } = most;
    const { origin } = await locate(ctx, LIST);
    if (origin === undefined) throw new Inconclusive("the number of the first page cannot be told");
    const widest = { ...(await widestWindow(ctx, LIST)), status };
    const { wide, size, pages } = await untilStable(async () => {
      const wide = (await readPage(ctx, LIST, widest)).items;
      const size = Math.max(1, Math.floor(wide.length / 3));
      const pages: Page[] = [];
      for (const window of await windows(ctx, LIST, size, 3))
        pages.push(await readPage(ctx, LIST, { ...window, status }));
      const again = (await readPage(ctx, LIST, widest)).items;
      return { value: { wide, size, pages }, stable: sameItems(wide, again, identity) };
    });
    const small = pages.flatMap(({ items }) => items);
    const strangers = small.length - countCommon(wide, small, identity);
    const [last] = pages.slice(-1);
    if (last && (strangers > 0 || new Set(small.map(identity)).size < small.length)) {
      throw new Violation(
        last.answer,
        `shows other transfers on the small pages of status=${status} than on its wide one`,
        "the same transfers",
      );
    }
    // A page may be short.
    if (last && small.length < 2 * size) {
      throw new Violation(
        last.answer,
        `shows ${small.length} transfers on three pages of status=${status} with limit=${size}`,
        `at least ${2 * size}`,
      );
    }
  },
);

check("listTransfers/status-before-paging", "TITLE", { should: ["R011", "R057"], scope }, async (ctx) => {
  const sets = (await readSets(ctx)).filter(({ items }) => items.length > 0);
  // What is rare stands at the beginning of the list least often.
  for (const { status } of sets.toSorted((a, b) => a.items.length - b.items.length))
    if (await judgeFilteredPages(ctx, LIST, { status })) return;
  throw new Inconclusive("the transfers of no status stand behind others: seed more data");
});

check(
  "listTransfers/reference-before-paging",
  "TITLE",
  { critical: ["R011", "R057"], scope },
  async (ctx) => {
    for await (const filter of referenceFilters(ctx)) if (await judgeFilteredPages(ctx, LIST, filter)) return;
    throw new Inconclusive("no transfer behind others in the list is found by a reference that it shows");
  },
);

check("listTransfers/status-filters-find", "TITLE", { critical: ["R011", "R019"], scope }, async (ctx) => {
  const blind = await blindStatuses(ctx);
  if (blind.length === 0) return;
  await settle(ctx);
  const [still] = (await blindStatuses(ctx)).filter(({ status }) =>
    blind.some((one) => one.status === status),
  );
  if (still)
    throw new Violation(
      still.answer,
      `shows nothing under status=${still.status}, yet the whole list has transfers of it`,
      "each transfer under its status",
    );
});

check("listTransfers/reading-changes-nothing", "TITLE", { should: "RFC 9110", scope }, async (ctx) => {
  const [window = {}] = await windows(ctx, LIST, 5, 1);
  const [first, ...others] = await readStable(ctx, LIST, [window, window, window]);
  const identity = await identityOf(ctx, LIST);
  // The last reading agrees with the first, so that nobody else has moved what one in between shows otherwise.
  for (const { answer, items } of others) {
    if (first && !sameItems(first.items, items, identity))
      throw new Violation(answer, "answered the same request with other transfers", "the same transfers");
  }
});

for (const limit of [2_147_483_648, 1_000_000_000]) {
  check(`listTransfers/limit-${limit}`, "TITLE", { should: "N42" }, async (ctx) => {
    const answer = await sendWithRetry(ctx, LIST, { query: { limit } });
    expectAnswered(answer);
    if (answer.is5xx)
      throw new Violation(answer, outcomeOf(answer), "400, or a page of the target's own maximum");
    if (answer.oversized)
      throw new Violation(answer, "answered more than 4 MiB", "400, or a page of the target's own maximum");
    ctx.observe("N42", `limit=${limit} ${outcomeOf(answer)}`);
  });
}

check("listTransfers/unknown-parameter", "TITLE", { observe: "G08" }, async (ctx) => {
  const answer = await sendWithRetry(ctx, LIST, { query: { conformance: "1" } });
  ctx.observe("G08", `an unknown query parameter ${outcomeOf(answer)}`);
});

interface StatusSet {
  readonly status: (typeof TRANSFER_STATUSES)[number];
  readonly answer: Awaited<ReturnType<typeof readFiltered>>["answer"];
  readonly items: readonly unknown[];
}

/** What each status shows, of what another filter finds. */
async function readSets(ctx: CheckContext, filter: Query = {}): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await readFiltered(ctx, LIST, { ...filter, status })) });
  return sets;
}

/** Demands that no transfer is shown under two statuses. */
async function judgeDisjoint(ctx: CheckContext, filter: Query = {}) {
  const identity = await identityOf(ctx, LIST);
  // A transfer may change its status between two reads (section 3), so a finding must show twice.
  const overlap = await untilStable(async () => {
    const before = await readSets(ctx, filter);
    const found = overlapOf(before, identity);
    if (!found) return { value: undefined, stable: true };
    const after = await readSets(ctx, filter);
    return {
      value: overlapOf(after, identity),
      stable: before.every((set, index) => sameItems(set.items, after[index]?.items ?? [], identity)),
    };
  });
  if (overlap)
    throw new Violation(
      overlap.answer,
      `shows the same ${overlap.both} transfers under status=${overlap.one} and status=${overlap.other}`,
      "a transfer under one status only",
    );
}

/** Filters that find one transfer by a reference that the list shows; the end of a page is looked at first. */
async function* referenceFilters(ctx: CheckContext) {
  const identity = await identityOf(ctx, LIST);
  const { items } = await readPage(ctx, LIST, await widestWindow(ctx, LIST));
  for (const item of items.toReversed().slice(0, 5)) {
    for (const [path, value] of scalars(item)) {
      if (!/ref(erence)?$/i.test(path)) continue;
      const filter = { transferReference: String(value) };
      const found = (await readFiltered(ctx, LIST, filter)).items;
      if (found.length === 1 && sameItems(found, [item], identity)) yield filter;
    }
  }
}

/**
 * Statuses that find nothing although the whole list has transfers of them: all six where no transfer is under any
 * of them, since each has one (section 3).
 */
async function blindStatuses(ctx: CheckContext): Promise<StatusSet[]> {
  const path = await statusPath(ctx).catch(() => undefined);
  const identity = await identityOf(ctx, LIST);
  const widest = await widestWindow(ctx, LIST);
  const before = (await readPage(ctx, LIST, widest)).items;
  const sets = await readSets(ctx);
  const after = (await readPage(ctx, LIST, widest)).items;
  if (countCommon(before, after, identity) === 0)
    throw new Inconclusive("the list has no transfers that stay");
  const empty = sets.filter(({ items }) => items.length === 0);
  if (empty.length === sets.length) return empty;
  if (path === undefined) return [];
  // A transfer may change its status meanwhile (section 3): what counts had the same before and after.
  const statusOf = new Map(before.map((item) => [identity(item), statusAt(item, path)]));
  const steady = after.map(
    (item) => statusAt(item, path) === statusOf.get(identity(item)) && statusAt(item, path),
  );
  return empty.filter(({ status }) => steady.includes(status.toLowerCase()));
}

function overlapOf(sets: readonly StatusSet[], identity: (item: unknown) => string) {
  for (const [index, one] of sets.entries()) {
    for (const other of sets.slice(index + 1)) {
      const both = countCommon(one.items, other.items, identity);
      if (both > 0) return { both, one: one.status, other: other.status, answer: other.answer };
    }
  }
  return undefined;
}

/** The status of the transfer itself by its name: what it holds may have a status as well, and so may its settlement. */
const OWN_STATUS = /^((transaction|transfer)\.)?((transaction|transfer)_?)?(state|status)$/i;

/** The field whose values are statuses of section 3; it can be told only where two or more of them occur. */
async function statusPath(ctx: CheckContext): Promise<string | undefined> {
  const { items } = await readPage(ctx, LIST, await widestWindow(ctx, LIST));
  const known = new Set<string>(TRANSFER_STATUSES.map((status) => status.toLowerCase()));
  const paths = [...new Set(items.flatMap((item) => scalars(item).map(([path]) => path)))];
  const fitting = paths.filter((path) => {
    if (!OWN_STATUS.test(pathInRecord(path))) return false;
    const values = items.map((item) => statusAt(item, path));
    return values.every((value) => value !== undefined && known.has(value)) && new Set(values).size > 1;
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

function statusAt(item: unknown, path: string): string | undefined {
  const found = scalars(item).find(([name]) => name === path)?.[1];
  return found === undefined ? undefined : String(found).toLowerCase();
}
