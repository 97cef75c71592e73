import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus5xx, isSuccess } from "../../fixtures/classify.ts";
import { settle } from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { sameItems, shared } from "../../fixtures/identity.ts";
import {
  identityOf,
  locate,
  type Page,
  type Query,
  readFiltered,
  readPage,
  widestLimit,
  widestWindow,
  windows,
} from "../../fixtures/listing.ts";
import { itemsAt, pathInRecord, scalars } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { readQuietly, whileQuiet } from "../../fixtures/quiescence.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { judgeFilteredPages } from "./filtered-pages.ts";

const LIST = "listTransfers";
const scope = "paging";

for (const status of TRANSFER_STATUSES) {
  check(
    `listTransfers/status-${status}-accepted`,
    { level: "MUST", requirements: ["R011", "R019"] },
    (bench) => accepted(bench, LIST, { query: { status } }, { ownData: true }),
  );
}

check("listTransfers/filters-accepted", { level: "MUST", requirements: ["R011", "R054"] }, async (bench) => {
  const transferReference = bench.run.builder.fresh();
  await accepted(bench, LIST, { query: { transferReference } }, { ownData: true });
  await accepted(bench, LIST, { query: { transferReference, status: "Successful" } }, { ownData: true });
});

check(
  "listTransfers/reference-unknown-finds-nothing",
  { level: "MUST", requirements: ["R011", "R054"], scope },
  async (bench) => {
    const transferReference = bench.run.builder.fresh();
    for (const besides of [{}, ...TRANSFER_STATUSES.map((status) => ({ status }))]) {
      const { answer, items } = await readFiltered(bench, LIST, { transferReference, ...besides });
      if (items.length > 0)
        throw violation(
          answer,
          `answered ${items.length} items to a transferReference that was never used`,
          "no items: the filter is ignored",
        );
    }
  },
);

check(
  "listTransfers/status-unknown/filtered",
  { level: "MUST", requirements: ["R011", "R059"], scope },
  async (bench) => {
    const answer = await sendPatiently(bench, LIST, { query: { status: "Bogus" } });
    judgeAnswered(answer);
    if (!isSuccess(answer)) return;
    const { length } = itemsAt(answer.json, (await locate(bench, LIST)).pointer);
    if (length > 0) throw violation(answer, `answered ${length} items to status=Bogus`, "400, or no items");
  },
);

check(
  "listTransfers/status-unknown/status",
  { level: "SHOULD", requirements: ["R011", "R059"] },
  async (bench) => {
    const answer = await sendPatiently(bench, LIST, { query: { status: "Bogus" } });
    judgeAnswered(answer);
    if (answer.status !== 400) throw violation(answer, `${outcomeOf(answer)} to status=Bogus`, "400");
  },
);

check("listTransfers/status-lower-case", { level: "OBSERVE", source: "G20" }, async (bench) => {
  const answer = await sendPatiently(bench, LIST, { query: { status: "successful" } });
  bench.observe("G20", `status=successful in lower case ${outcomeOf(answer)}`);
});

check(
  "listTransfers/status-filter-shows-only-that-status",
  { level: "MUST", requirements: ["R011", "R019"], scope },
  async (bench) => {
    const path = await statusPath(bench);
    if (path === undefined) {
      // Nothing shown can contradict the filter; that it splits the list is what can be seen of it.
      const sets = (await readSets(bench)).filter(({ items }) => items.length > 0);
      if (sets.length > 1 && !overlapOf(sets, await identityOf(bench, LIST))) return;
      throw new Inconclusive(
        "no field of the transfers can be told to be their status, or their statuses are all alike",
      );
    }
    for (const status of TRANSFER_STATUSES) {
      const { answer, items } = await readFiltered(bench, LIST, { status });
      const other = items
        .map((item) => statusAt(item, path))
        .find((value) => value !== undefined && value !== status.toLowerCase());
      if (other !== undefined)
        throw violation(
          answer,
          `shows a transfer that is ${other} under status=${status}`,
          `only transfers that are ${status}`,
        );
    }
  },
);

check(
  "listTransfers/status-sets-disjoint",
  { level: "MUST", requirements: ["R011", "R019"], scope },
  async (bench) => {
    await judgeDisjoint(bench);
  },
);

check(
  "listTransfers/status-sets-disjoint-for-reference",
  { level: "MUST", requirements: ["R011", "R019"], scope },
  async (bench) => {
    for await (const filter of referenceFilters(bench)) {
      await judgeDisjoint(bench, filter);
      return;
    }
    throw new Inconclusive("no transfer is found by a reference that the list shows");
  },
);

check(
  "listTransfers/status-sets-are-part-of-all",
  { level: "SHOULD", requirements: ["R011"], scope },
  async (bench) => {
    const identity = await identityOf(bench, LIST);
    const limit = await widestLimit(bench, LIST);
    // The whole list is read last: what others add meanwhile can then be missing from the sets alone.
    const sets = await readSets(bench);
    const all = new Set<string>();
    for (let page = 0; page <= 500 / limit + 1; page += 1) {
      const answer = await sendPatiently(bench, LIST, { query: { limit, page } });
      judgeAnswered(answer);
      const items = isSuccess(answer) ? itemsAt(answer.json, (await locate(bench, LIST)).pointer) : [];
      if (page > 0 && items.length === 0) break;
      for (const item of items) all.add(identity(item));
      if (all.size > 500) throw new Inconclusive("more than 500 transfers: too many to read them all");
    }
    for (const { answer, items, status } of sets) {
      const unknown = items.filter((item) => !all.has(identity(item))).length;
      if (unknown > 0)
        throw violation(
          answer,
          `shows ${unknown} transfers under status=${status} that the whole list lacks`,
          "only transfers of the whole list",
        );
    }
  },
);

check(
  "listTransfers/status-filter-with-paging",
  { level: "SHOULD", requirements: ["R011", "R057"], scope },
  async (bench) => {
    const identity = await identityOf(bench, LIST);
    const sets = await readSets(bench);
    const most = sets.toSorted((a, b) => b.items.length - a.items.length)[0];
    if (!most || most.items.length < 3) throw new Inconclusive("no status has 3 transfers: seed more data");
    const { status } = most;
    const { origin } = await locate(bench, LIST);
    if (origin === undefined) throw new Inconclusive("the number of the first page cannot be told");
    const widest = { ...(await widestWindow(bench, LIST)), status };
    const { wide, size, pages } = await whileQuiet(async () => {
      const wide = (await readPage(bench, LIST, widest)).items;
      const size = Math.max(1, Math.floor(wide.length / 3));
      const pages: Page[] = [];
      for (const window of await windows(bench, LIST, size, 3))
        pages.push(await readPage(bench, LIST, { ...window, status }));
      const again = (await readPage(bench, LIST, widest)).items;
      return { value: { wide, size, pages }, quiet: sameItems(wide, again, identity) };
    });
    const small = pages.flatMap(({ items }) => items);
    const strangers = small.length - shared(wide, small, identity);
    const [last] = pages.slice(-1);
    if (last && (strangers > 0 || new Set(small.map(identity)).size < small.length)) {
      throw violation(
        last.answer,
        `shows other transfers on the small pages of status=${status} than on its wide one`,
        "the same transfers",
      );
    }
    // A page may be short.
    if (last && small.length < 2 * size) {
      throw violation(
        last.answer,
        `shows ${small.length} transfers on three pages of status=${status} with limit=${size}`,
        `at least ${2 * size}`,
      );
    }
  },
);

check(
  "listTransfers/status-before-paging",
  { level: "SHOULD", requirements: ["R011", "R057"], scope },
  async (bench) => {
    const sets = (await readSets(bench)).filter(({ items }) => items.length > 0);
    // What is rare stands at the beginning of the list least often.
    for (const { status } of sets.toSorted((a, b) => a.items.length - b.items.length))
      if (await judgeFilteredPages(bench, LIST, { status })) return;
    throw new Inconclusive("the transfers of no status stand behind others: seed more data");
  },
);

check(
  "listTransfers/reference-before-paging",
  { level: "SHOULD", critical: true, requirements: ["R011", "R057"], scope },
  async (bench) => {
    for await (const filter of referenceFilters(bench))
      if (await judgeFilteredPages(bench, LIST, filter)) return;
    throw new Inconclusive("no transfer behind others in the list is found by a reference that it shows");
  },
);

check(
  "listTransfers/status-filters-find",
  { level: "SHOULD", critical: true, requirements: ["R011", "R019"], scope },
  async (bench) => {
    const blind = await blindStatuses(bench);
    if (blind.length === 0) return;
    await settle(bench);
    const [still] = (await blindStatuses(bench)).filter(({ status }) =>
      blind.some((one) => one.status === status),
    );
    if (still)
      throw violation(
        still.answer,
        `shows nothing under status=${still.status}, yet the whole list has transfers of it`,
        "each transfer under its status",
      );
  },
);

check(
  "listTransfers/reading-changes-nothing",
  { level: "SHOULD", source: "RFC 9110", scope },
  async (bench) => {
    const [window = {}] = await windows(bench, LIST, 5, 1);
    const [first, ...others] = await readQuietly(bench, LIST, [window, window, window]);
    const identity = await identityOf(bench, LIST);
    // The last reading agrees with the first, so that nobody else has moved what one in between shows otherwise.
    for (const { answer, items } of others) {
      if (first && !sameItems(first.items, items, identity))
        throw violation(answer, "answered the same request with other transfers", "the same transfers");
    }
  },
);

for (const limit of [2_147_483_648, 1_000_000_000]) {
  check(`listTransfers/limit-${limit}`, { level: "SHOULD", source: "N42" }, async (bench) => {
    const answer = await sendPatiently(bench, LIST, { query: { limit } });
    judgeAnswered(answer);
    if (isStatus5xx(answer))
      throw violation(answer, outcomeOf(answer), "400, or a page of the target's own maximum");
    if (answer.oversized)
      throw violation(answer, "answered more than 4 MiB", "400, or a page of the target's own maximum");
    bench.observe("N42", `limit=${limit} ${outcomeOf(answer)}`);
  });
}

check("listTransfers/unknown-parameter", { level: "OBSERVE", source: "G08" }, async (bench) => {
  const answer = await sendPatiently(bench, LIST, { query: { conformance: "1" } });
  bench.observe("G08", `an unknown query parameter ${outcomeOf(answer)}`);
});

interface StatusSet {
  readonly status: (typeof TRANSFER_STATUSES)[number];
  readonly answer: Awaited<ReturnType<typeof readFiltered>>["answer"];
  readonly items: readonly unknown[];
}

/** What each status shows, of what another filter finds. */
async function readSets(bench: Bench, filter: Query = {}): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await readFiltered(bench, LIST, { ...filter, status })) });
  return sets;
}

/** Demands that no transfer is shown under two statuses. */
async function judgeDisjoint(bench: Bench, filter: Query = {}) {
  const identity = await identityOf(bench, LIST);
  // A transfer may change its status between two reads (section 3), so a finding must show twice.
  const overlap = await whileQuiet(async () => {
    const before = await readSets(bench, filter);
    const found = overlapOf(before, identity);
    if (!found) return { value: undefined, quiet: true };
    const after = await readSets(bench, filter);
    return {
      value: overlapOf(after, identity),
      quiet: before.every((set, index) => sameItems(set.items, after[index]?.items ?? [], identity)),
    };
  });
  if (overlap)
    throw violation(
      overlap.answer,
      `shows the same ${overlap.both} transfers under status=${overlap.one} and status=${overlap.other}`,
      "a transfer under one status only",
    );
}

/** Filters that find one transfer by a reference that the list shows; the end of a page is looked at first. */
async function* referenceFilters(bench: Bench) {
  const identity = await identityOf(bench, LIST);
  const { items } = await readPage(bench, LIST, await widestWindow(bench, LIST));
  for (const item of items.toReversed().slice(0, 5)) {
    for (const [path, value] of scalars(item)) {
      if (!/ref(erence)?$/i.test(path)) continue;
      const filter = { transferReference: String(value) };
      const found = (await readFiltered(bench, LIST, filter)).items;
      if (found.length === 1 && sameItems(found, [item], identity)) yield filter;
    }
  }
}

/**
 * Statuses that find nothing although the whole list has transfers of them: all six where no transfer is under any
 * of them, since each has one (section 3).
 */
async function blindStatuses(bench: Bench): Promise<StatusSet[]> {
  const path = await statusPath(bench).catch(() => undefined);
  const identity = await identityOf(bench, LIST);
  const widest = await widestWindow(bench, LIST);
  const before = (await readPage(bench, LIST, widest)).items;
  const sets = await readSets(bench);
  const after = (await readPage(bench, LIST, widest)).items;
  if (shared(before, after, identity) === 0) throw new Inconclusive("the list has no transfers that stay");
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
      const both = shared(one.items, other.items, identity);
      if (both > 0) return { both, one: one.status, other: other.status, answer: other.answer };
    }
  }
  return undefined;
}

/** The status of the transfer itself by its name: what it holds may have a status as well, and so may its settlement. */
const OWN_STATUS = /^((transaction|transfer)\.)?((transaction|transfer)_?)?(state|status)$/i;

/** The field whose values are statuses of section 3; it can be told only where two or more of them occur. */
async function statusPath(bench: Bench): Promise<string | undefined> {
  const { items } = await readPage(bench, LIST, await widestWindow(bench, LIST));
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
