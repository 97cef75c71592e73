import { expect, test } from "vitest";
import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { referencesOf } from "../k6/requests.ts";
import { inShort, responses } from "../testing/example-load.ts";
import { digestOf, transfersOf } from "./evidence.ts";
import { judgeTransfers } from "./judge.ts";
import { type CountRows, listingOf, type ReadPage } from "./listing.ts";

/** A list that has rows of these statuses, written as `reference: status status`. */
const listOf = (text: string): CountRows => {
  const rows = new Map(text.split(", ").map((one) => one.split(": ") as [string, string]));
  return async (reference, status) => {
    const statuses = rows.get(reference)?.split(" ") ?? [];
    return statuses.filter((one) => status === undefined || one === status).length;
  };
};

interface Deployment {
  readonly control?: number | undefined;
  readonly payoutStatuses?: readonly TransferStatus[];
  /** References that may have been sent without a response. */
  readonly unanswered?: string[];
  readonly settle?: () => Promise<void>;
  readonly settleIsPromised?: boolean;
  readonly readPage?: ReadPage;
}

async function judged(sent: string, list: string | CountRows, deployment: Deployment = {}) {
  const { unanswered = [], settle = async () => {}, settleIsPromised = true, ...learned } = deployment;
  const count = typeof list === "string" ? listOf(list) : list;
  const readPage: ReadPage = async () => undefined;
  const found = await judgeTransfers({
    transfers: transfersOf(responses(sent), unanswered),
    references,
    listing: listingOf({ control: 1, window: { limit: 100, page: 1 }, readPage, count, ...learned }),
    settle,
    settleIsPromised,
  });
  return {
    ...found,
    states: inShort(found.invariants).split(", "),
    says: found.invariants.map(({ text }) => text).join("; "),
  };
}

const references = referencesOf("0123abcd");
const ONCE = "a: Successful, b: Pending";
const UNJUDGED = "L3 unjudged, L4 unjudged, L5 unjudged, L6 unjudged";
const UNSETTLED = { settleIsPromised: false };
const LATER = "set SETTLE_SECONDS";

test.each<[string, string, string | CountRows, string, Deployment?, string?]>([
  ["each is listed once", "a, a, b", ONCE, "L1 held, L2 held, L3 held, L4 held"],
  ["one transfer cannot break more than two", "a", ONCE, UNJUDGED],
  ["nor can transfers without a transactionId", "a accepted -, a accepted -, b accepted -", ONCE, UNJUDGED],
  ["one is not listed", "a, b", "a: Successful", "L1 broken b"],
  ["one is not listed yet", "a", "", "L1 undecided a", UNSETTLED, LATER],
  [
    "one was paid twice",
    "a accepted T1, a accepted T2, b",
    "a: Successful Pending, b: Successful",
    "L2 broken a",
    {},
    "the list shows up to 2 payouts (Successful or Pending) for 1 of 2 references; a single transfer has 1",
  ],
  ["rejected repeats have rows too", "a", "a: Successful Rejected Blocked", "L2 held"],
  ["Unverified rows are attempts if the control is paid", "a", "a: Successful Unverified", "L2 held"],
  [
    "Unverified rows are payouts if the control is one",
    "a",
    "a: Successful Unverified",
    "L2 broken a",
    { payoutStatuses: ["Successful", "Unverified"] },
  ],
  ["the counts under the statuses do not add up", "a", async () => 2, "L2 undecided a"],
  [
    "one transfer has two rows",
    "a, b",
    "a: Pending Successful, b: Pending Successful Pending",
    "L2 broken b",
    { control: 2 },
  ],
  ["several identifiers belong to one payout", "a accepted T1, a accepted T2", ONCE, "L2 held, L3 broken a"],
  ["two share an identifier", "a accepted T1, b accepted T1, c", `${ONCE}, c: Pending`, "L4 broken a b"],
  [
    "one of two unknown ones was made",
    "a timeout, b unknown, c",
    "a: Pending, c: Pending",
    "L6 held",
    {},
    "the API made 1 of 2, and none twice",
  ],
  ["an unknown one was made twice", "a timeout", "a: Pending Successful", "L2 broken a, L6 broken a"],
  [
    "two rejected ones are listed as paid, one as rejected",
    "a business-refused, b business-refused, c business-refused, d throttled, e",
    "a: Rejected, b: Successful, d: Pending, e: Successful",
    "L2 held, L5 broken b d",
    {},
    "2 of 4 are listed as paid",
  ],
  ["a rejected one is known", "a business-refused, b", "b: Successful", "L1 held, L6 unjudged", {}, "1 of 1"],
  ["one was perhaps sent", "a", ONCE, "L6 held", { unanswered: ["a", "b"] }, "made 1 of 1, and none twice"],
  [
    "nothing usable comes for one",
    "a, b",
    async (one) => (one === "a" ? undefined : 1),
    "L1 undecided a, L2 undecided a",
  ],
  [
    "the list shows the same for any reference",
    "a accepted T1, b accepted T1",
    "",
    "L1 undecided, L2 undecided, L4 broken a b",
    { control: undefined },
  ],
  ["the control is not listed", "a", "", "L1 broken, L2 undecided", { control: 0 }],
  ["the control is not listed yet", "a", "", "L1 undecided", { control: 0, ...UNSETTLED }, LATER],
  ["none was accepted", "a business-refused", "", "L1 undecided", {}, "the API accepted no transfer"],
])("%s", async (_, sent, list, expected, deployment, says = "") => {
  expect(await judged(sent, list, deployment)).toMatchObject({
    states: expect.arrayContaining(expected.split(", ")),
    says: expect.stringContaining(says),
  });
});

test("a missing transfer is looked up again after a while", async () => {
  let settled = 0;
  const settle = async () => {
    settled += 1;
  };

  const { states } = await judged("a", async () => settled, { settle });

  expect(states).toContain("L1 held");
});

const [A, B, C] = [references.at(1), references.at(2), references.at(3)] as const;

interface Pages {
  /** A transactionId that a response had instead of that of its row. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Whether the list shows transactionIds. */
  readonly hasIds?: boolean;
  readonly isPaged?: boolean;
}

const idOf = (reference: string) => `T${reference.slice(-2)}`;

/** Judges a deployment that accepted three transfers (the control, A and B) and lists the control and these references. */
async function judgedByPages(listed: string, { ids = {}, hasIds = true, isPaged = true }: Pages = {}) {
  const all = [references.control, ...listed.split(", ")].map((reference) => {
    return { reference, ...(hasIds && { id: idOf(reference) }) };
  });
  const count: CountRows = async (reference) => all.filter((one) => one.reference === reference).length;
  const readPage: ReadPage = async ({ page }) => {
    return { data: isPaged ? (page === 1 ? all : []) : all.slice(0, 2) };
  };
  const sent = [references.control, A, B].map((one) => `${one} accepted ${digestOf(ids[one] ?? idOf(one))}`);
  const { states, ...found } = await judged(sent.join(", "), count, { readPage });
  return { ...found, states: states.filter((one) => one.startsWith("L7")).join(", ") };
}

const SENT = `${A}, ${B}`;
const HELD = "L7 held";
const SWAPPED = { ids: { [A]: idOf(B), [B]: idOf(A) } };
const ONE_PAGE = { isPaged: false };

test.each<[string, string, string, Pages?, string?, string[]?]>([
  ["what was sent", SENT, HELD, {}, "all 3 references of the run in the list were sent"],
  ["a reference that was never sent", `${SENT}, ${C}`, `L7 broken ${C}`],
  ["rows of fees, and of other runs", `${SENT}, ${A}-FEE, load-ffffffff-0000001`, HELD],
  ["only its first page", SENT, "L7 unjudged", ONE_PAGE, "shows 2 of the 3 transfers that lookups"],
  ["the transactionIds of swapped responses", SENT, HELD, SWAPPED, "", [A, B]],
  ["no transactionIds", SENT, HELD, { hasIds: false }],
  ["none of a response", SENT, HELD, { ids: { [A]: "request-1" } }],
])("the whole list shows %s", async (_, listed, states, pages, says = "", mixedUp = []) => {
  const found = await judgedByPages(listed, pages);

  expect(found).toMatchObject({ states, says: expect.stringContaining(says), mixedUp });
});
