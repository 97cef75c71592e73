import { describe, expect, test } from "vitest";
import type { TransferStatus } from "../../fixtures/engine/lists/transfer-counts.ts";
import type { Invariant, InvariantId } from "../results/invariant.ts";
import { answerTo } from "../testing/example-load.ts";
import { type Entry, transfersOf } from "./journal.ts";
import { type Evidence, reconcile } from "./judge.ts";
import { type CountRows, Listing } from "./listing.ts";

const accepted = (reference: string, identifier: string | null = `T-${reference}`) =>
  answerTo(reference, "accepted", identifier);
const refused = (reference: string) => answerTo(reference, "business-refused");
const timedOut = (reference: string) => answerTo(reference, "timeout");

interface Case extends Partial<Omit<Evidence, "listing">> {
  readonly entries?: readonly Entry[];
  /** The statuses of the rows that the list has for a reference, or what it counts. */
  readonly rows?: Readonly<Record<string, readonly TransferStatus[]>> | CountRows;
  readonly control?: number | undefined;
  readonly paysUnverified?: boolean;
}

async function reconciled({ entries = [], rows = {}, paysUnverified = false, ...change }: Case) {
  const count: CountRows =
    typeof rows === "function"
      ? rows
      : async (reference, status) =>
          (rows[reference] ?? []).filter((row) => status === undefined || row === status).length;
  const { control } = { control: 1, ...change };
  const { invariants } = await reconcile({
    transfers: transfersOf(entries, []),
    listing: new Listing(control, paysUnverified, count),
    settle: async () => {},
    settleIsPromised: true,
    ...change,
  });
  return Object.fromEntries(invariants.map((one) => [one.id, one]));
}

type Expected = Partial<Record<InvariantId, Invariant["state"] | Partial<Invariant>>>;

const ONCE = { a: ["Successful"], b: ["Pending"] } as const;
const UNJUDGED = { L3: "unjudged", L4: "unjudged", L5: "unjudged", L6: "unjudged" } as const;
const held = (text: string) => ({ state: "held", text }) as const;
const broken = (...references: string[]) => ({ state: "broken", references }) as const;
const undecided = (...references: string[]) => ({ state: "undecided", references }) as const;

describe("the transfer list is compared with the responses", () => {
  test.each<[string, Case, Expected]>([
    [
      "every accepted reference is listed once, however often it was sent",
      { entries: [accepted("a"), accepted("a"), accepted("b")], rows: ONCE },
      { L1: "held", L2: "held", L3: "held", L4: "held" },
    ],
    ["one transfer cannot break more than two", { entries: [accepted("a")], rows: ONCE }, UNJUDGED],
    [
      "nor can transfers without a transactionId",
      { entries: ["a", "a", "b"].map((reference) => accepted(reference, null)), rows: ONCE },
      UNJUDGED,
    ],
    [
      "an accepted transfer is not listed",
      { entries: [accepted("a"), accepted("b")], rows: { a: ["Successful"] } },
      { L1: broken("b") },
    ],
    [
      "it may still come, without SETTLE_SECONDS",
      { entries: [accepted("a")], settleIsPromised: false },
      { L1: { ...undecided("a"), text: expect.stringContaining("SETTLE_SECONDS") } },
    ],
    [
      "a reference was paid twice",
      {
        entries: [accepted("a", "T1"), accepted("a", "T2"), accepted("b")],
        rows: { a: ["Successful", "Pending"], b: ["Successful"] },
      },
      {
        L2: {
          ...broken("a"),
          text: "the list shows up to 2 payouts (Successful or Pending) for 1 of 2 references; a single transfer has 1",
        },
      },
    ],
    [
      "rejected repeats have rows beside the payout",
      { entries: [accepted("a")], rows: { a: ["Successful", "Rejected", "Blocked"] } },
      { L2: "held" },
    ],
    [
      "Unverified rows are attempts where the control was paid",
      { entries: [accepted("a")], rows: { a: ["Successful", "Unverified"] } },
      { L2: "held" },
    ],
    [
      "Unverified rows are payouts where the control is one",
      { entries: [accepted("a")], rows: { a: ["Successful", "Unverified"] }, paysUnverified: true },
      { L2: broken("a") },
    ],
    [
      "the counts under the statuses do not add up",
      { entries: [accepted("a")], rows: async () => 2 },
      { L2: "undecided" },
    ],
    [
      "a single transfer has two rows",
      {
        entries: [accepted("a"), accepted("b")],
        rows: { a: ["Pending", "Successful"], b: ["Pending", "Successful", "Pending"] },
        control: 2,
      },
      { L2: broken("b") },
    ],
    [
      "several identifiers belong to one payout",
      { entries: [accepted("a", "T1"), accepted("a", "T2")], rows: ONCE },
      { L2: "held", L3: { state: "warned", references: ["a"] } },
    ],
    [
      "two references share an identifier",
      {
        entries: [accepted("a", "T1"), accepted("b", "T1"), accepted("c")],
        rows: { ...ONCE, c: ["Pending"] },
      },
      { L4: broken("a", "b") },
    ],
    [
      "one of two unknown transfers was made",
      {
        entries: [timedOut("a"), answerTo("b", "unknown"), accepted("c")],
        rows: { a: ["Pending"], c: ["Successful"] },
      },
      { L6: held("the API made 1 of 2, and none twice") },
    ],
    [
      "an unknown transfer was made twice",
      { entries: [timedOut("a")], rows: { a: ["Pending", "Successful"] } },
      { L2: "broken", L6: broken("a") },
    ],
    [
      "a rejected transfer is listed as paid, and another one as rejected",
      {
        entries: [...["a", "b", "c"].map(refused), answerTo("d", "throttled"), accepted("e")],
        rows: { a: ["Rejected"], b: ["Successful"], d: ["Pending"], e: ["Successful"] },
      },
      { L2: "held", L5: { ...broken("b", "d"), text: "2 of 4 are listed as paid" } },
    ],
    [
      "the outcome of a rejected transfer is known",
      { entries: [refused("a"), accepted("b")], rows: { b: ["Successful"] } },
      { L1: held("1 of 1"), L6: { text: "every outcome is known" } },
    ],
    [
      "a reference was perhaps sent without a response",
      { transfers: transfersOf([accepted("a")], ["a", "b"]), rows: ONCE },
      { L6: held("the API made 1 of 1, and none twice") },
    ],
    [
      "the list returns nothing usable for a reference",
      {
        entries: [accepted("a"), accepted("b")],
        rows: async (reference) => (reference === "a" ? undefined : 1),
      },
      { L1: undecided("a"), L2: undecided("a") },
    ],
    [
      "the list returns the same for any reference",
      { entries: [accepted("a", "T1"), accepted("b", "T1")], control: undefined },
      { L1: "undecided", L2: "undecided", L4: "broken" },
    ],
    ["the control is not listed", { entries: [accepted("a")], control: 0 }, { L1: "broken" }],
    [
      "the control may still come, without SETTLE_SECONDS",
      { entries: [accepted("a")], control: 0, settleIsPromised: false },
      { L1: { state: "undecided", text: expect.stringContaining("SETTLE_SECONDS") } },
    ],
    [
      "no transfer was accepted",
      { entries: [refused("a")] },
      { L1: { state: "undecided", text: "the API accepted no transfer" } },
    ],
  ])("%s", async (_, input, expected) => {
    const found = await reconciled(input);

    for (const [id, what] of Object.entries(expected))
      expect(found[id]).toMatchObject(typeof what === "string" ? { state: what } : what);
  });

  test("a missing transfer is looked up again after a while", async () => {
    let settled = 0;
    const settle = async () => {
      settled += 1;
    };

    const { L1 } = await reconciled({ entries: [accepted("a")], rows: async () => settled, settle });

    expect(L1?.state).toBe("held");
  });
});
