import { describe, expect, it } from "vitest";
import { referencesOf } from "../k6/templates/reference.ts";
import type { InvariantId } from "../results/invariant.ts";
import { answerTo } from "../testing/example-load.ts";
import { digestOf } from "./digest.ts";
import { transfersOf } from "./journal.ts";
import { judgeWholeList } from "./judge-list.ts";
import type { Lookup } from "./reconcile.ts";
import type { ReadPage } from "./whole-list.ts";

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

/** A deployment that accepted the control, A and B, and lists these rows. */
async function judged(
  rows: readonly Row[],
  {
    ids = {},
    statusOf = ({ status }: Row) => status,
    settleIsPromised = true,
    isPaged = true,
  }: {
    ids?: Readonly<Record<string, string>>;
    statusOf?: (row: Row) => string | undefined;
    settleIsPromised?: boolean;
    isPaged?: boolean;
  } = {},
) {
  const accepted = [references.control, A, B];
  const all = [row(references.control), ...rows];
  const find = (status?: string) => all.filter((one) => status === undefined || statusOf(one) === status);
  const lookup: Lookup = async (reference, status) =>
    find(status).filter((one) => one.reference === reference).length;
  const readPage: ReadPage = async ({ page }, status) =>
    isPaged ? { data: page === 1 ? find(status) : [] } : { data: find(status).slice(0, 2) };
  const transfers = transfersOf(
    accepted.map((reference) => answerTo(reference, "accepted", digestOf(ids[reference] ?? idOf(reference)))),
    [],
  );
  const counted = (reference: string) => all.filter((one) => one.reference === reference).length;
  const { invariants, mixedUp } = await judgeWholeList({
    listed: transfers.map((one) => ({
      ...one,
      rows: counted(one.reference),
      payouts: counted(one.reference),
    })),
    references,
    readPage,
    lookup,
    settle: async () => {},
    settleIsPromised,
  });
  return { mixedUp, found: (id: InvariantId) => invariants.find((one) => one.id === id) };
}

describe("judgeWholeList", () => {
  it("holds if the list shows what was sent, under one status each", async () => {
    const { found, mixedUp } = await judged([row(A), row(B, { status: "Successful" })]);

    expect(found("L7")).toMatchObject({
      state: "held",
      text: "all 3 references of the run in the list were sent",
    });
    expect(found("L12")).toMatchObject({ state: "held", text: "1 Successful, 2 Pending" });
    expect(mixedUp).toEqual([]);
  });

  it("finds a reference of the run that was never sent", async () => {
    const { found } = await judged([row(A), row(B), row(C)]);

    expect(found("L7")).toMatchObject({ state: "broken", references: [C] });
  });

  it("permits rows that belong to a transfer without being it, and those of other runs", async () => {
    const { found } = await judged([row(A), row(B), row(`${A}-FEE`), row("load-ffffffff-0000001")]);

    expect(found("L7")?.state).toBe("held");
  });

  it("does not judge a list that cannot be paged through", async () => {
    const { found } = await judged([row(A), row(B)], { isPaged: false });

    expect([found("L7")?.state, found("L12")?.state]).toEqual(["unjudged", "unjudged"]);
    expect(found("L7")?.text).toBe("paging through the list shows 2 of the 3 transfers that lookups find");
  });

  it("finds a transfer that is listed under no status", async () => {
    const statusOf = ({ reference, status }: Row) => (reference === B ? undefined : status);

    const { found } = await judged([row(A), row(B)], { statusOf });

    expect(found("L12")).toMatchObject({ state: "broken", references: [B] });
  });

  it("does not decide about a status that may still come, if SETTLE_SECONDS is not set", async () => {
    const { found } = await judged([row(A), row(B)], {
      statusOf: ({ reference, status }) => (reference === B ? undefined : status),
      settleIsPromised: false,
    });

    expect(found("L12")?.state).toBe("undecided");
  });

  it("does not judge a status filter that misses the transfer before the load too", async () => {
    const { found } = await judged([row(A), row(B)], { statusOf: () => "Pending in bank" });

    expect(found("L12")?.state).toBe("unjudged");
  });

  it("finds responses that were swapped, by the transactionIds in the list", async () => {
    const { mixedUp } = await judged([row(A), row(B)], { ids: { [A]: idOf(B), [B]: idOf(A) } });

    expect(mixedUp).toEqual([A, B]);
  });

  it.each([
    ["the list shows none", [row(A, { id: "" }), row(B, { id: "" })], {}],
    ["a response had one that the list does not show", [row(A), row(B)], { [A]: "request-1" }],
  ])("finds no swapped responses by transactionIds if %s", async (_, rows, ids) => {
    expect((await judged(rows, { ids })).mixedUp).toEqual([]);
  });
});
