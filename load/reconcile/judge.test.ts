import { describe, expect, test } from "vitest";
import type { Invariant, InvariantId } from "../results/invariant.ts";
import { responses } from "../testing/example-load.ts";
import { transfersOf } from "./journal.ts";
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

interface Deployment extends Partial<Omit<Evidence, "listing">> {
  readonly control?: number | undefined;
  readonly paysUnverified?: boolean;
}

async function reconciled(sent: string, list: string | CountRows, deployment: Deployment = {}) {
  const { control, paysUnverified, ...rest } = { control: 1, paysUnverified: false, ...deployment };
  const { invariants } = await reconcile({
    transfers: transfersOf(responses(sent), []),
    listing: new Listing(control, paysUnverified, typeof list === "string" ? listOf(list) : list),
    settle: async () => {},
    settleIsPromised: true,
    ...rest,
  });
  return Object.fromEntries(invariants.map((one) => [one.id, one]));
}

type Expected = Partial<Record<InvariantId, Invariant["state"] | Partial<Invariant>>>;

const ONCE = "a: Successful, b: Pending";
const UNJUDGED: Expected = { L3: "unjudged", L4: "unjudged", L5: "unjudged", L6: "unjudged" };
const NOT_SETTLED = { settleIsPromised: false };
const ASKS_FOR_SETTLE = { state: "undecided", text: expect.stringContaining("SETTLE_SECONDS") } as const;
const TWO_PAYOUTS =
  "the list shows up to 2 payouts (Successful or Pending) for 1 of 2 references; a single transfer has 1";
const broken = (...references: string[]) => ({ state: "broken", references }) as const;
const undecided = (...references: string[]) => ({ state: "undecided", references }) as const;

describe("the transfer list is compared with the responses", () => {
  test.each<[string, string, string | CountRows, Expected, Deployment?]>([
    [
      "each is listed once, however often it was sent",
      "a, a, b",
      ONCE,
      { L1: "held", L2: "held", L3: "held", L4: "held" },
    ],
    ["one transfer cannot break more than two", "a", ONCE, UNJUDGED],
    ["nor can transfers without a transactionId", "a accepted -, a accepted -, b accepted -", ONCE, UNJUDGED],
    ["one is not listed", "a, b", "a: Successful", { L1: broken("b") }],
    ["one is not listed yet", "a", "", { L1: { ...ASKS_FOR_SETTLE, references: ["a"] } }, NOT_SETTLED],
    [
      "one was paid twice",
      "a accepted T1, a accepted T2, b",
      "a: Successful Pending, b: Successful",
      { L2: { ...broken("a"), text: TWO_PAYOUTS } },
    ],
    ["rejected repeats have rows too", "a", "a: Successful Rejected Blocked", { L2: "held" }],
    [
      "Unverified rows are attempts where the control was paid",
      "a",
      "a: Successful Unverified",
      { L2: "held" },
    ],
    [
      "Unverified rows are payouts where the control is one",
      "a",
      "a: Successful Unverified",
      { L2: broken("a") },
      { paysUnverified: true },
    ],
    ["the counts under the statuses do not add up", "a", async () => 2, { L2: "undecided" }],
    [
      "a single transfer has two rows",
      "a, b",
      "a: Pending Successful, b: Pending Successful Pending",
      { L2: broken("b") },
      { control: 2 },
    ],
    [
      "several identifiers belong to one payout",
      "a accepted T1, a accepted T2",
      ONCE,
      { L2: "held", L3: { state: "warned", references: ["a"] } },
    ],
    [
      "two references share an identifier",
      "a accepted T1, b accepted T1, c",
      `${ONCE}, c: Pending`,
      { L4: broken("a", "b") },
    ],
    [
      "one of two unknown ones was made",
      "a timeout, b unknown, c",
      "a: Pending, c: Successful",
      { L6: { state: "held", text: "the API made 1 of 2, and none twice" } },
    ],
    [
      "an unknown one was made twice",
      "a timeout",
      "a: Pending Successful",
      { L2: "broken", L6: broken("a") },
    ],
    [
      "a rejected one is listed as paid, another as rejected",
      "a business-refused, b business-refused, c business-refused, d throttled, e",
      "a: Rejected, b: Successful, d: Pending, e: Successful",
      { L2: "held", L5: { ...broken("b", "d"), text: "2 of 4 are listed as paid" } },
    ],
    [
      "the outcome of a rejected one is known",
      "a business-refused, b",
      "b: Successful",
      { L1: { state: "held", text: "1 of 1" }, L6: { text: "every outcome is known" } },
    ],
    [
      "one was perhaps sent without a response",
      "",
      ONCE,
      { L6: { state: "held", text: "the API made 1 of 1, and none twice" } },
      { transfers: transfersOf(responses("a"), ["a", "b"]) },
    ],
    [
      "the list returns nothing usable for one",
      "a, b",
      async (reference) => (reference === "a" ? undefined : 1),
      { L1: undecided("a"), L2: undecided("a") },
    ],
    [
      "the list returns the same for any reference",
      "a accepted T1, b accepted T1",
      "",
      { L1: "undecided", L2: "undecided", L4: "broken" },
      { control: undefined },
    ],
    ["the control is not listed", "a", "", { L1: "broken" }, { control: 0 }],
    ["the control is not listed yet", "a", "", { L1: ASKS_FOR_SETTLE }, { control: 0, ...NOT_SETTLED }],
    [
      "none was accepted",
      "a business-refused",
      "",
      { L1: { state: "undecided", text: "the API accepted no transfer" } },
    ],
  ])("%s", async (_, sent, list, expected, deployment) => {
    const found = await reconciled(sent, list, deployment);

    for (const [id, what] of Object.entries(expected))
      expect(found[id]).toMatchObject(typeof what === "string" ? { state: what } : what);
  });

  test("a missing transfer is looked up again after a while", async () => {
    let settled = 0;
    const settle = async () => {
      settled += 1;
    };

    const { L1 } = await reconciled("a", async () => settled, { settle });

    expect(L1?.state).toBe("held");
  });
});
