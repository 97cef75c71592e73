import { describe, expect, it } from "vitest";
import { type ReadPage, rowsOfRun } from "./whole-list.ts";

const PREFIX = "load-0123abcd-";
const items = Array.from({ length: 230 }, (_, index) =>
  index % 2 === 0
    ? { id: index, ref: `${PREFIX}${String(index).padStart(7, "0")}` }
    : { id: index, ref: `other-${index}` },
);
const EXPECTED = items.filter(({ ref }) => ref.startsWith(PREFIX)).map(({ ref }) => ref);

interface Layout {
  readonly origin?: number;
  readonly most?: number;
  readonly smallest?: boolean;
  readonly write?: (page: readonly object[], number: number) => unknown;
  readonly beyond?: "empty" | "refused" | "last";
}

/** A transfer list with a layout of its own. */
function listWith(layout: Layout): ReadPage {
  const { origin = 1, most = 1000, write = (page) => ({ data: page }), beyond = "empty" } = layout;
  return async ({ limit, page }) => {
    if (limit > most || page < origin) return undefined;
    const at = (number: number) => items.slice((number - origin) * limit, (number - origin + 1) * limit);
    const found = at(page);
    if (found.length > 0) return write(found, page);
    if (beyond === "refused") return undefined;
    return write(beyond === "last" ? at(Math.ceil(items.length / limit) - 1 + origin) : [], page);
  };
}

describe("rowsOfRun", () => {
  it.each<[string, Layout]>([
    ["in the usual layout", {}],
    ["that counts pages from 0", { origin: 0 }],
    ["with at most 20 items on a page", { most: 20 }],
    ["that rejects pages beyond its end", { beyond: "refused" }],
    ["that repeats its last page for ever", { beyond: "last" }],
    [
      "that repeats its last page and numbers it",
      { beyond: "last", write: (data, page) => ({ data, page }) },
    ],
    ["with numbers as keys", { write: (page) => ({ data: { items: { ...page } } }) }],
    ["beside another list", { write: (rows) => ({ data: { columns: ["id", "ref"], rows } }) }],
    ["inside another list", { write: (rows) => [{ rows }] }],
    ["of wrapped items", { write: (page) => page.map((transfer, id) => ({ id, transfer })) }],
  ])("finds every row of the run in a list %s", async (_, layout) => {
    const rows = await rowsOfRun(listWith(layout), PREFIX);

    expect(rows?.map(({ reference }) => reference)).toEqual(EXPECTED);
  });

  it("keeps of a row only what is looked for", async () => {
    const find = (value: unknown) => (typeof value === "number" ? `number ${value}` : undefined);

    const rows = await rowsOfRun(listWith({}), PREFIX, { find });

    expect(rows?.[1]).toEqual({ reference: EXPECTED[1], found: ["number 2"] });
  });

  it("has no rows if the list cannot be paged through", async () => {
    expect(await rowsOfRun(async () => undefined, PREFIX)).toBeUndefined();
  });
});
