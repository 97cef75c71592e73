import { describe, expect, it } from "vitest";
import type { InvariantId } from "../results/invariant.ts";
import { answerTo } from "../testing/example-load.ts";
import type { Entry } from "./journal.ts";
import { transfersOf } from "./journal.ts";
import { type Evidence, type Lookup, reconcile } from "./reconcile.ts";

const accepted = (reference: string, identifier = `T-${reference}`) =>
  answerTo(reference, "accepted", identifier);

type Rows = Readonly<Record<string, readonly string[]>>;

/** A transfer list that holds, by reference, rows of these statuses. */
const listOf =
  (rows: Rows): Lookup =>
  async (reference, status) =>
    (rows[reference] ?? []).filter((row) => status === undefined || row === status).length;

async function reconciled(entries: readonly Entry[], rows: Rows | Lookup, change: Partial<Evidence> = {}) {
  const { invariants } = await reconcile({
    transfers: transfersOf(entries, []),
    lookup: typeof rows === "function" ? rows : listOf(rows),
    control: 1,
    payoutStatuses: ["Successful", "Pending"],
    settle: async () => {},
    settleIsPromised: true,
    ...change,
  });
  return (id: InvariantId) => invariants.find((invariant) => invariant.id === id);
}

describe("reconcile", () => {
  it("holds if every accepted reference is listed once, however often it was sent", async () => {
    const found = await reconciled([accepted("a"), accepted("a"), accepted("b")], {
      a: ["Successful"],
      b: ["Pending"],
    });

    for (const id of ["L1", "L2", "L3", "L4"] as const) expect(found(id)?.state).toBe("held");
  });

  it.each([
    ["one transfer", [accepted("a")]],
    [
      "transfers without a transactionId",
      ["a", "a", "b"].map((reference) => answerTo(reference, "accepted")),
    ],
  ])("does not judge what %s cannot break", async (_, entries) => {
    const found = await reconciled(entries, { a: ["Successful"], b: ["Pending"] });

    for (const id of ["L3", "L4", "L5", "L6"] as const) expect(found(id)?.state).toBe("unjudged");
  });

  it("finds an accepted transfer that is not listed, and names it", async () => {
    const found = await reconciled([accepted("a"), accepted("b")], { a: ["Successful"] });

    expect(found("L1")).toMatchObject({ state: "broken", references: ["b"] });
  });

  it("does not decide about a missing transfer if SETTLE_SECONDS is not set", async () => {
    const found = await reconciled([accepted("a")], {}, { settleIsPromised: false });

    expect(found("L1")).toMatchObject({ state: "undecided", references: ["a"] });
    expect(found("L1")?.text).toContain("SETTLE_SECONDS");
  });

  it("looks a missing transfer up again after a while", async () => {
    let settled = 0;
    const lookup: Lookup = async () => settled;
    const settle = async () => {
      settled += 1;
    };

    const found = await reconciled([accepted("a")], lookup, { settle });

    expect(found("L1")?.state).toBe("held");
  });

  it("finds a reference that was paid twice", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("a", "T2"), accepted("b")], {
      a: ["Successful", "Pending"],
      b: ["Successful"],
    });

    expect(found("L2")).toMatchObject({ state: "broken", references: ["a"] });
    expect(found("L2")?.text).toBe(
      "the list shows up to 2 payouts (Successful or Pending) for 1 of 2 references; a single transfer has 1",
    );
  });

  it("permits rows of rejected repeats in addition to the one payout", async () => {
    const found = await reconciled([accepted("a")], { a: ["Successful", "Rejected", "Blocked"] });

    expect(found("L2")?.state).toBe("held");
  });

  it("counts Unverified rows only where a single payout is listed as Unverified", async () => {
    const rows = { a: ["Successful", "Unverified"] };

    const attempts = await reconciled([accepted("a")], rows);
    const payouts = await reconciled([accepted("a")], rows, {
      payoutStatuses: ["Successful", "Pending", "Unverified"],
    });

    expect([attempts("L2")?.state, payouts("L2")?.state]).toEqual(["held", "broken"]);
  });

  it("does not rely on a status filter whose counts do not add up", async () => {
    const found = await reconciled([accepted("a")], async () => 2);

    expect(found("L2")?.state).toBe("undecided");
  });

  it("compares with the rows of a single transfer, not with one row", async () => {
    const rows = { a: ["Pending", "Successful"], b: ["Pending", "Successful", "Pending"] };

    const found = await reconciled([accepted("a"), accepted("b")], rows, { control: 2 });

    expect(found("L2")).toMatchObject({ state: "broken", references: ["b"] });
  });

  it("only warns about several identifiers if the list shows one payout", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("a", "T2")], { a: ["Successful"] });

    expect(found("L3")).toMatchObject({ state: "warned", references: ["a"] });
    expect(found("L2")?.state).toBe("held");
  });

  it("finds an identifier that two references share", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("b", "T1"), accepted("c")], {
      a: ["Successful"],
      b: ["Successful"],
      c: ["Successful"],
    });

    expect(found("L4")).toMatchObject({ state: "broken", references: ["a", "b"] });
  });

  it("finds out which transfers with an unknown outcome were made", async () => {
    const entries = [answerTo("a", "timeout"), answerTo("b", "unknown"), accepted("c")];

    const found = await reconciled(entries, { a: ["Pending"], c: ["Successful"] });

    expect(found("L6")).toMatchObject({ state: "held", text: "the API made 1 of 2, and none twice" });
  });

  it("finds a transfer with an unknown outcome that was made twice", async () => {
    const found = await reconciled([answerTo("a", "timeout")], { a: ["Pending", "Successful"] });

    expect(found("L6")).toMatchObject({ state: "broken", references: ["a"] });
    expect(found("L2")?.state).toBe("broken");
  });

  it("finds a rejected transfer that is listed as paid, but permits a record of its rejection", async () => {
    const refused = ["a", "b", "c"].map((reference) => answerTo(reference, "business-refused"));
    const throttled = answerTo("d", "throttled");

    const found = await reconciled([...refused, throttled, accepted("e")], {
      a: ["Rejected"],
      b: ["Successful"],
      d: ["Pending"],
      e: ["Successful"],
    });

    expect(found("L5")).toMatchObject({ state: "broken", references: ["b", "d"] });
    expect(found("L5")?.text).toBe("2 of 4 are listed as paid");
    expect(found("L2")?.state).toBe("held");
  });

  it("looks up references that may have been sent without a response", async () => {
    const transfers = transfersOf([accepted("a")], ["a", "b"]);

    const found = await reconciled([], { a: ["Successful"], b: ["Pending"] }, { transfers });

    expect(found("L6")?.text).toBe("the API made 1 of 1, and none twice");
  });

  it("knows the outcome of a rejected transfer", async () => {
    const found = await reconciled([answerTo("a", "business-refused"), accepted("b")], { b: ["Successful"] });

    expect(found("L6")?.text).toBe("every outcome is known");
    expect(found("L1")?.text).toBe("1 of 1");
  });

  it("does not decide about references that the list gives no response for", async () => {
    const lookup: Lookup = async (reference) => (reference === "a" ? undefined : 1);

    const found = await reconciled([accepted("a"), accepted("b")], lookup);

    for (const id of ["L1", "L2"] as const) {
      expect(found(id)).toMatchObject({ state: "undecided", references: ["a"] });
    }
  });

  it("does not use a list that returns the same for any reference", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("b", "T1")], {}, { control: undefined });

    expect([found("L1")?.state, found("L2")?.state, found("L4")?.state]).toEqual([
      "undecided",
      "undecided",
      "broken",
    ]);
  });

  it("reports a control that is not listed as lost only if SETTLE_SECONDS is set", async () => {
    const promised = await reconciled([accepted("a")], {}, { control: 0 });
    const unpromised = await reconciled([accepted("a")], {}, { control: 0, settleIsPromised: false });

    expect([promised("L1")?.state, unpromised("L1")?.state]).toEqual(["broken", "undecided"]);
    expect(unpromised("L1")?.text).toContain("SETTLE_SECONDS");
  });

  it("does not decide if no transfer was accepted", async () => {
    const found = await reconciled([answerTo("a", "business-refused")], {});

    expect(found("L1")).toMatchObject({ state: "undecided", text: "the API accepted no transfer" });
  });
});
