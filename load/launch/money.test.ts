import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { referencesOf } from "../k6/requests.ts";
import { PREPARED_TRANSFERS, responses, transfersOf100 } from "../testing/example-load.ts";
import { HeldMoney, moneyCalls, sumOfCalls, unansweredOf } from "./money.ts";

const references = referencesOf("0123abcd");
const { calls, untilItsEnd } = moneyCalls(references, PREPARED_TRANSFERS, 50);

describe("the money calls of a load", () => {
  it("are the transfers before and after it, and every transfer of it, repeats included", () => {
    expect(sumOfCalls(calls)).toEqual({ count: 1 + 40 + 1, total: 4200 });
    expect([calls[0]?.reference, calls.at(-1)?.reference]).toEqual([references.control, references.recovery]);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1 + 35 + 1);
    expect(untilItsEnd).toEqual(calls.slice(0, -1));
  });

  it("may be without a response up to the most that can have been in flight", () => {
    const sent = [...new Set(calls.map(({ reference }) => reference))];

    const unanswered = unansweredOf(calls, responses(`${sent[0]}, ${sent[20]}`), 5);

    expect(unanswered.map(({ reference }) => reference)).toEqual([
      ...sent.slice(1, 20),
      ...sent.slice(21, 26),
    ]);
  });
});

describe("the ledger", () => {
  const MONEY = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "5", MAX_PAYOUT_TOTAL: "500" };
  /** Reserves 100 for each reference; any later process can find that. */
  const reserved = (sent: string, variables: Record<string, string> = {}) => {
    const folder = temporaryFolder();
    const target = exampleTarget({ ...MONEY, LEDGER_DIR: folder, ...variables });
    return {
      reserve: () => HeldMoney.reserve(target, folder, "run", transfersOf100(sent.split(" "))),
      find: () => new HeldMoney(target, folder, "run"),
    };
  };
  const mayBeSent = (reference: string) => ["b", "c"].includes(reference);

  it.each([
    [
      "keeps what was accepted or may have moved",
      "a d e f g",
      "a accepted, d business-refused, e timeout, f business-refused T3",
      [],
      3,
    ],
    ["keeps what may have been sent without a response", "a b c c d", "a business-refused", [], 3],
    ["keeps what the list shows as paid", "a d", "a throttled, d throttled", ["d"], 1],
    ["judges each response to a reference", "a a a", "a timeout, a throttled", [], 1],
  ])("%s, releases the rest, and closes the run", (_, sent, entries, listed, kept) => {
    const { reserve, find } = reserved(sent);
    const { length: count } = reserve().calls;
    const held = find();

    const money = held.close(responses(entries), listed, mayBeSent);

    expect(money).toEqual({
      planned: { count, total: count * 100 },
      kept: { count: kept, total: kept * 100 },
      released: { count: count - kept, total: (count - kept) * 100 },
      limit: { count: 5, total: 500 },
    });
    expect(readFileSync(held.path, "utf8").trim().split("\n").at(-1)).toContain('"close"');
  });

  it.each([
    ["MAX_PAYOUTS", { MAX_PAYOUTS: "4" }],
    ["MAX_PAYOUT_TOTAL", { MAX_PAYOUT_TOTAL: "400" }],
  ])("refuses a run that exceeds %s, and keeps nothing", async (variable, cap) => {
    const { reserve, find } = reserved("a b c d e", cap);

    const error = await commandErrorOf(reserve);

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(variable)] });
    expect(error.message).toContain("room for 5 transfers, 500.00 in total");
    expect(find().calls).toEqual([]);
  });
});
