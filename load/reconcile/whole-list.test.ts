import { describe, expect, it } from "vitest";
import { referencesOf } from "../k6/templates/reference.ts";
import { answerTo } from "../testing/example-load.ts";
import { digestOf, transfersOf } from "./journal.ts";
import { Listing, type ReadPage } from "./listing.ts";
import { judgeWholeList, rowsOfRun } from "./whole-list.ts";

const references = referencesOf("0123abcd");
const [A, B, C] = [references.at(1), references.at(2), references.at(3)] as const;

interface Row {
  readonly reference: string;
  readonly status?: string;
  readonly id?: string;
}

const idOf = (reference: string) => `T${reference.slice(-2)}`;
const row = (reference: string, change: Partial<Row> = {}): Row => ({
  reference,
  status: "Pending",
  id: idOf(reference),
  ...change,
});
const SENT = [row(A), row(B)];

interface Deployment {
  readonly rows?: readonly Row[];
  readonly ids?: Readonly<Record<string, string>>;
  readonly statusOf?: (row: Row) => string | undefined;
  readonly settleIsPromised?: boolean;
  readonly isPaged?: boolean;
}

/** Judges a deployment that accepted the control, A and B. */
async function judged({ rows = SENT, ids = {}, isPaged = true, ...deployment }: Deployment = {}) {
  const { statusOf = ({ status }) => status, settleIsPromised = true } = deployment;
  const all = [row(references.control), ...rows];
  const find = (status?: unknown) => all.filter((one) => status === undefined || statusOf(one) === status);
  const countOf = (reference: string, status?: string) =>
    find(status).filter((one) => one.reference === reference).length;
  const readPage: ReadPage = async ({ page, status }) => ({
    data: isPaged ? (page === 1 ? find(status) : []) : find(status).slice(0, 2),
  });
  const accepted = [references.control, A, B].map((reference) =>
    answerTo(reference, "accepted", digestOf(ids[reference] ?? idOf(reference))),
  );
  const { invariants, mixedUp } = await judgeWholeList({
    listed: transfersOf(accepted, []).map((transfer) => {
      const count = countOf(transfer.reference);
      return { ...transfer, rows: count, payouts: count };
    }),
    references,
    readPage,
    listing: new Listing(1, false, async (reference, status) => countOf(reference, status)),
    settle: async () => {},
    settleIsPromised,
  });
  const [L7, L12] = invariants;
  return { mixedUp, L7, L12 };
}

describe("the whole list of transfers", () => {
  const lost = ({ reference, status }: Row) => (reference === B ? undefined : status);

  it.each<[string, Deployment, object]>([
    [
      "shows what was sent, under one status each",
      { rows: [row(A), row(B, { status: "Successful" })] },
      {
        L7: { state: "held", text: "all 3 references of the run in the list were sent" },
        L12: { state: "held", text: "1 Successful, 2 Pending" },
        mixedUp: [],
      },
    ],
    [
      "shows a reference that was never sent",
      { rows: [...SENT, row(C)] },
      { L7: { state: "broken", references: [C] } },
    ],
    [
      "shows rows of fees, and of other runs",
      { rows: [...SENT, row(`${A}-FEE`), row("load-ffffffff-0000001")] },
      { L7: { state: "held" } },
    ],
    [
      "cannot be paged through",
      { isPaged: false },
      {
        L7: {
          state: "unjudged",
          text: "paging through the list shows 2 of the 3 transfers that lookups find",
        },
        L12: { state: "unjudged" },
      },
    ],
    ["shows a transfer under no status", { statusOf: lost }, { L12: { state: "broken", references: [B] } }],
    [
      "shows it under no status yet, without SETTLE_SECONDS",
      { statusOf: lost, settleIsPromised: false },
      { L12: { state: "undecided" } },
    ],
    [
      "shows even the control under no status",
      { statusOf: () => "Pending in bank" },
      { L12: { state: "unjudged" } },
    ],
    [
      "shows the transactionIds of swapped responses",
      { ids: { [A]: idOf(B), [B]: idOf(A) } },
      { mixedUp: [A, B] },
    ],
    ["shows no transactionIds", { rows: SENT.map((one) => ({ ...one, id: "" })) }, { mixedUp: [] }],
    ["lacks the transactionId of a response", { ids: { [A]: "request-1" } }, { mixedUp: [] }],
  ])("%s", async (_, deployment, expected) => {
    expect(await judged(deployment)).toMatchObject(expected);
  });
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

describe("rowsOfRun", () => {
  it.each<[string, Layout]>([
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
  ])("finds every row of the run in a list %s", async (_, layout) => {
    const find = (value: unknown) => (value === 2 ? "kept" : undefined);
    const rows = await rowsOfRun(listWith(layout), PREFIX, { find });

    expect(rows?.map(({ reference }) => reference)).toEqual(EXPECTED);
    expect(rows?.[1]?.found).toContain("kept");
  });

  it("has no rows if the list cannot be paged through", async () => {
    expect(await rowsOfRun(async () => undefined, PREFIX)).toBeUndefined();
  });
});
