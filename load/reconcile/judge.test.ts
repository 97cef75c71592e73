import { expect, test } from "vitest";
import { inShort, responses } from "../testing/example-load.ts";
import { carriedOut, transfersOf } from "./journal.ts";
import { type Evidence, reconcile } from "./judge.ts";
import { type CountRows, Listing } from "./listing.ts";

/** A list that has rows of these statuses, written as `reference: status status`. */
const listOf = (text: string): CountRows => {
  const rows = new Map(text.split(", ").map((one) => one.split(": ") as [string, string]));
  return async (reference, status) => {
    const statuses = rows.get(reference)?.split(" ") ?? [];
    return statuses.filter((one) => status === undefined || one === status).length;
  };
};

interface Deployment extends Partial<Omit<Evidence, "listing" | "transfers">> {
  readonly control?: number | undefined;
  readonly paysUnverified?: boolean;
  /** References that may have been sent without a response. */
  readonly unanswered?: string[];
}

async function reconciled(sent: string, list: string | CountRows, deployment: Deployment = {}) {
  const { control, paysUnverified, unanswered, ...rest } = {
    control: 1,
    paysUnverified: false,
    unanswered: [],
    ...deployment,
  };
  const { invariants } = await reconcile({
    transfers: transfersOf(responses(sent), unanswered),
    listing: new Listing(control, paysUnverified, typeof list === "string" ? listOf(list) : list),
    settle: async () => {},
    settleIsPromised: true,
    ...rest,
  });
  return { found: inShort(invariants).split(", "), says: invariants.map(({ text }) => text).join("\n") };
}

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
    { paysUnverified: true },
  ],
  ["the counts under the statuses do not add up", "a", async () => 2, "L2 undecided a"],
  [
    "one transfer has two rows",
    "a, b",
    "a: Pending Successful, b: Pending Successful Pending",
    "L2 broken b",
    { control: 2 },
  ],
  ["several identifiers belong to one payout", "a accepted T1, a accepted T2", ONCE, "L2 held, L3 warned a"],
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
  expect(await reconciled(sent, list, deployment)).toEqual({
    found: expect.arrayContaining(expected.split(", ")),
    says: expect.stringContaining(says),
  });
});

test("a missing transfer is looked up again after a while", async () => {
  let settled = 0;
  const settle = async () => {
    settled += 1;
  };

  const { found } = await reconciled("a", async () => settled, { settle });

  expect(found).toContain("L1 held");
});

test.each([
  ["a accepted T1", "yes"],
  ["a business-refused", "no"],
  ["a business-refused T1", "unknown"],
  ["a throttled", "no"],
  ["a connection-error", "no"],
  ["a timeout", "unknown"],
  ["a server-error", "unknown"],
])("of %j it is known whether the API carried it out: %s", (text, whether) => {
  expect(responses(text).map(carriedOut)).toEqual([whether]);
});
