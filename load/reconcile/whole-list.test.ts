import { expect, test } from "vitest";
import { referencesOf } from "../k6/requests.ts";
import { inShort, responses } from "../testing/example-load.ts";
import { digestOf, transfersOf } from "./journal.ts";
import { Listing, type ReadPage } from "./listing.ts";
import { judgeWholeList, rowsOfRun } from "./whole-list.ts";

const references = referencesOf("0123abcd");
const [A, B, C] = [references.at(1), references.at(2), references.at(3)] as const;

interface Deployment {
  /** A transactionId that a response had instead of that of its row. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Whether the list shows transactionIds. */
  readonly hasIds?: boolean;
  readonly statusOf?: (row: { readonly reference: string; readonly status: string }) => string | undefined;
  readonly settleIsPromised?: boolean;
  readonly isPaged?: boolean;
}

const idOf = (reference: string) => `T${reference.slice(-2)}`;

/** Judges a deployment that accepted the control, A and B, and lists these, written as `reference status`. */
async function judged(listed: string, deployment: Deployment = {}) {
  const { ids = {}, hasIds = true, isPaged = true, settleIsPromised = true } = deployment;
  const { statusOf = ({ status }) => status } = deployment;
  const all = `${references.control}, ${listed}`.split(", ").map((one) => {
    const [reference = "", status = "Pending"] = one.split(" ");
    return { reference, status, ...(hasIds && { id: idOf(reference) }) };
  });
  const find = (status?: unknown) => all.filter((one) => status === undefined || statusOf(one) === status);
  const countOf = (reference: string, status?: string) =>
    find(status).filter((one) => one.reference === reference).length;
  const readPage: ReadPage = async ({ page, status }) => ({
    data: isPaged ? (page === 1 ? find(status) : []) : find(status).slice(0, 2),
  });
  const sent = [references.control, A, B].map((one) => `${one} accepted ${digestOf(ids[one] ?? idOf(one))}`);
  const { invariants, mixedUp } = await judgeWholeList({
    listed: transfersOf(responses(sent.join(", ")), []).map((transfer) => {
      const rows = countOf(transfer.reference);
      return { ...transfer, rows, payouts: rows };
    }),
    references,
    readPage,
    listing: new Listing(1, false, async (reference, status) => countOf(reference, status)),
    settle: async () => {},
    settleIsPromised,
  });
  return {
    found: inShort(invariants),
    says: invariants.map(({ text }) => text).join("; "),
    mixedUp,
  };
}

const lost: Deployment["statusOf"] = ({ reference, status }) => (reference === B ? undefined : status);
const SENT = `${A}, ${B}`;
const HELD = "L7 held, L12 held";
const UNJUDGED = "L7 unjudged, L12 unjudged";

test.each<[string, string, string, Deployment?, string?, string[]?]>([
  [
    "what was sent, under one status each",
    `${A}, ${B} Successful`,
    HELD,
    {},
    "all 3 references of the run in the list were sent; 1 Successful, 2 Pending",
  ],
  ["a reference that was never sent", `${SENT}, ${C}`, `L7 broken ${C}, L12 held`],
  ["rows of fees, and of other runs", `${SENT}, ${A}-FEE, load-ffffffff-0000001`, HELD],
  ["only its first page", SENT, UNJUDGED, { isPaged: false }, "shows 2 of the 3 transfers that lookups"],
  ["a transfer under no status", SENT, `L7 held, L12 broken ${B}`, { statusOf: lost }],
  [
    "it under no status yet, without SETTLE_SECONDS",
    SENT,
    `L7 held, L12 undecided ${B}`,
    { statusOf: lost, settleIsPromised: false },
  ],
  ["even the control under no status", SENT, "L7 held, L12 unjudged", { statusOf: () => "In bank" }],
  [
    "the transactionIds of swapped responses",
    SENT,
    HELD,
    { ids: { [A]: idOf(B), [B]: idOf(A) } },
    "",
    [A, B],
  ],
  ["no transactionIds", SENT, HELD, { hasIds: false }],
  ["none of a response", SENT, HELD, { ids: { [A]: "request-1" } }],
])("the whole list shows %s", async (_, listed, found, deployment, says = "", mixedUp = []) => {
  expect(await judged(listed, deployment)).toEqual({ found, says: expect.stringContaining(says), mixedUp });
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
  const rows = await rowsOfRun(listWith(layout), PREFIX, { find });

  expect(rows?.map(({ reference }) => reference)).toEqual(EXPECTED);
  expect(rows?.[1]?.found).toContain("kept");
});

test("a list that cannot be paged through has no rows", async () => {
  expect(await rowsOfRun(async () => undefined, PREFIX)).toBeUndefined();
});
