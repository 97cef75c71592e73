import { expect, test } from "vitest";
import { faults } from "../../fixtures/proof/faults/faults.ts";
import { throttledTo } from "../../fixtures/proof/variations/busy.ts";
import { variations } from "../../fixtures/proof/variations/variations.ts";
import { sandboxClient } from "../testing/sandbox-client.ts";
import { learnListing, listingOf, type ReadPage, referencesOfRun } from "./listing.ts";

const known = [...faults, ...variations, throttledTo(2)];

test.each([
  [1, "as the sandbox does", "none"],
  [1, "and returns 404 for a reference that it does not know", "nothing-found-404"],
  [1, "and returns null for an empty list", "empty-list-is-null"],
  [2, "with an attempt beside it", "attempts-listed"],
  [0, "not at all", "createTransfer/accepted-is-lost"],
  [undefined, "in a response without a list, as documented", "layout-single-record"],
  [1, "after it has throttled the first requests", "throttled"],
])("counts %s rows for a transfer that the API lists %s", async (rows, _, id) => {
  const { client } = await sandboxClient({ changes: known.filter((one) => one.id === id) });
  const { control: transferReference } = referencesOfRun(client);
  const draft = client.builder.build("createTransfer", { body: { transferReference } });
  await client.send("createTransfer", draft, "control");

  const { control } = await learnListing(client);

  expect(control).toBe(rows);
});

const PREFIX = "load-0123abcd-";
const items = Array.from({ length: 230 }, (_, id) => ({
  id,
  ref: `${id % 2 === 0 ? PREFIX : "other-"}${String(id).padStart(7, "0")}`,
}));
const EXPECTED = items.map(({ ref }) => ref).filter((ref) => ref.startsWith(PREFIX));

interface Layout {
  readonly origin?: number;
  readonly most?: number;
  readonly write?: (page: readonly object[], number: number) => unknown;
  readonly beyond?: "empty" | "refused" | "last";
}

/** A transfer list with a layout of its own. */
function listWith({ origin = 1, most = 1000, beyond = "empty", ...layout }: Layout): ReadPage {
  const { write = (page) => ({ data: page }) } = layout;
  return async (query) => {
    const [limit, page] = [Number(query.limit), Number(query.page)];
    if (limit > most || page < origin) return undefined;
    const at = (number: number) => items.slice((number - origin) * limit, (number - origin + 1) * limit);
    const found = at(page);
    if (found.length > 0) return write(found, page);
    if (beyond === "refused") return undefined;
    return write(beyond === "last" ? at(Math.ceil(items.length / limit) - 1 + origin) : [], page);
  };
}

test.each<[string, Layout]>([
  ["in the usual layout", {}],
  ["that counts pages from 0", { origin: 0 }],
  ["with at most 20 items on a page", { most: 20 }],
  ["that rejects pages beyond its end", { beyond: "refused" }],
  ["that repeats its last page for ever", { beyond: "last" }],
  ["that numbers its last page anew", { beyond: "last", write: (data, page) => ({ data, page }) }],
  ["with numbers as keys", { write: (page) => ({ data: { items: { ...page } } }) }],
  ["beside another list", { write: (rows) => ({ data: { columns: ["id", "ref"], rows } }) }],
  ["inside another list", { write: (rows) => [{ rows }] }],
  ["of wrapped items", { write: (page) => page.map((transfer, id) => ({ id, transfer })) }],
])("every row of the run is found in a list %s", async (_, layout) => {
  const find = (value: unknown) => (value === 2 ? "kept" : undefined);
  const { origin: page = 1, most = 100 } = layout;
  const listing = listingOf({ control: 1, window: { limit: most, page }, readPage: listWith(layout) });

  const rows = await listing.rowsOf(PREFIX, find);

  expect(rows?.map(({ reference }) => reference)).toEqual(EXPECTED);
  expect(rows?.[1]?.found).toContain("kept");
});

test("a list that cannot be paged through has no rows", async () => {
  const window = { limit: 5, page: 1 };
  const unreadable = listingOf({ control: 1, window, readPage: async () => undefined });

  expect(await unreadable.rowsOf(PREFIX, () => undefined)).toBeUndefined();
});
