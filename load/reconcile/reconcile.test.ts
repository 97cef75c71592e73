import { describe, expect, it } from "vitest";
import type { InvariantId } from "./invariants.ts";
import type { Entry } from "./journal.ts";
import { type Evidence, type Lookup, reconcile } from "./reconcile.ts";
import { transfersOf } from "./transfers.ts";

const accepted = (reference: string, identifier = `T-${reference}`): Entry => ({
  operation: "createTransfer",
  reference,
  outcome: "accepted",
  status: 200,
  identifier,
});

const without = (reference: string, outcome: Entry["outcome"]): Entry => ({
  ...accepted(reference),
  outcome,
  identifier: null,
});

type Rows = Readonly<Record<string, readonly string[]>>;

/** A transfer list that holds, by reference, rows of these statuses. */
const listOf =
  (rows: Rows): Lookup =>
  async (reference, status) =>
    (rows[reference] ?? []).filter((row) => status === undefined || row === status).length;

async function reconciled(entries: readonly Entry[], rows: Rows | Lookup, change: Partial<Evidence> = {}) {
  const invariants = await reconcile({
    transfers: transfersOf(entries, []),
    lookup: typeof rows === "function" ? rows : listOf(rows),
    control: 1,
    settle: async () => {},
    settleIsPromised: true,
    ...change,
  });
  return (id: InvariantId) => invariants.find((invariant) => invariant.id === id);
}

describe("reconciliation", () => {
  it("holds when every accepted reference is listed once, however often it was sent", async () => {
    const found = await reconciled([accepted("a"), accepted("a"), accepted("b")], {
      a: ["Successful"],
      b: ["Pending"],
    });

    for (const id of ["L1", "L2", "L3", "L4", "L6"] as const) expect(found(id)?.state).toBe("held");
  });

  it("finds an accepted transfer that is not listed, and names it", async () => {
    const found = await reconciled([accepted("a"), accepted("b")], { a: ["Successful"] });

    expect(found("L1")).toMatchObject({ state: "broken", references: ["b"] });
  });

  it("leaves a missing transfer undecided where nobody said how long listing takes", async () => {
    const found = await reconciled([accepted("a")], {}, { settleIsPromised: false });

    expect(found("L1")).toMatchObject({ state: "undecided", references: ["a"] });
    expect(found("L1")?.text).toContain("SETTLE_SECONDS");
  });

  it("gives a late transfer a second reading", async () => {
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
    expect(found("L2")?.text).toBe("1 of 2 references have 2 live items");
  });

  it("permits rows of refused repeats beside the one payout", async () => {
    const found = await reconciled([accepted("a")], { a: ["Successful", "Rejected", "Blocked"] });

    expect(found("L2")?.state).toBe("held");
  });

  it("believes no status filter whose counts do not add up", async () => {
    const found = await reconciled([accepted("a")], async () => 2);

    expect(found("L2")?.state).toBe("undecided");
  });

  it("compares with what one transfer shows, not with one row", async () => {
    const rows = { a: ["Pending", "Successful"], b: ["Pending", "Successful", "Pending"] };

    const found = await reconciled([accepted("a"), accepted("b")], rows, { control: 2 });

    expect(found("L2")).toMatchObject({ state: "broken", references: ["b"] });
  });

  it("only warns of several identifiers where the list shows one payout", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("a", "T2")], { a: ["Successful"] });

    expect(found("L3")).toMatchObject({ state: "warned", references: ["a"] });
    expect(found("L2")?.state).toBe("held");
  });

  it("finds an identifier that two references were given", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("b", "T1"), accepted("c")], {
      a: ["Successful"],
      b: ["Successful"],
      c: ["Successful"],
    });

    expect(found("L4")).toMatchObject({ state: "broken", references: ["a", "b"] });
  });

  it("resolves transfers without an answer as carried out or not", async () => {
    const entries = [without("a", "timeout"), without("b", "unknown"), accepted("c")];

    const found = await reconciled(entries, { a: ["Pending"], c: ["Successful"] });

    expect(found("L6")).toMatchObject({ state: "held", text: "of 2, 1 carried out and 1 not" });
  });

  it("finds a transfer without an answer that was carried out twice", async () => {
    const found = await reconciled([without("a", "timeout")], { a: ["Pending", "Successful"] });

    expect(found("L6")).toMatchObject({ state: "broken", references: ["a"] });
    expect(found("L2")?.state).toBe("broken");
  });

  it("looks for references that may have been sent when the run was cut short", async () => {
    const transfers = transfersOf([accepted("a")], ["a", "b"]);

    const found = await reconciled([], { a: ["Successful"], b: ["Pending"] }, { transfers });

    expect(found("L6")?.text).toBe("of 1, 1 carried out and 0 not");
  });

  it("does not count a refused transfer as one without an answer", async () => {
    const found = await reconciled([without("a", "business-refused"), accepted("b")], { b: ["Successful"] });

    expect(found("L6")?.text).toBe("every transfer was answered");
    expect(found("L1")?.text).toBe("all 1 accepted transfers are listed");
  });

  it("decides nothing about references for which the list gives no answer", async () => {
    const lookup: Lookup = async (reference) => (reference === "a" ? undefined : 1);

    const found = await reconciled([accepted("a"), accepted("b")], lookup);

    for (const id of ["L1", "L2"] as const) {
      expect(found(id)).toMatchObject({ state: "undecided", references: ["a"] });
    }
  });

  it("decides nothing by the list where a transfer cannot be told from none", async () => {
    const found = await reconciled([accepted("a", "T1"), accepted("b", "T1")], {}, { control: undefined });

    expect([found("L1")?.state, found("L2")?.state, found("L4")?.state]).toEqual([
      "undecided",
      "undecided",
      "broken",
    ]);
  });

  it("takes a control that is not listed for a lost payout, where listing was promised", async () => {
    const promised = await reconciled([accepted("a")], {}, { control: 0 });
    const unpromised = await reconciled([accepted("a")], {}, { control: 0, settleIsPromised: false });

    expect([promised("L1")?.state, unpromised("L1")?.state]).toEqual(["broken", "undecided"]);
  });

  it("decides nothing when no transfer was accepted", async () => {
    const found = await reconciled([without("a", "business-refused")], {});

    expect(found("L1")).toMatchObject({ state: "undecided", text: "no transfer was accepted" });
  });
});
