import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { clientOf } from "../k6/client.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import type { Entry } from "../reconcile/journal.ts";
import { answerTo, PREPARED_TRANSFERS, transfersOf100 } from "../testing/example-load.ts";
import { describeMoney, HeldMoney, moneyCalls, sumOfCalls, unansweredOf } from "./money.ts";

const references = referencesOf("0123abcd");
const calls = moneyCalls(references, PREPARED_TRANSFERS, 50, clientOf("patient", 10_000));

describe("the money calls of a load", () => {
  it("are the transfers before and after it, and every transfer of it, repeats included", () => {
    expect(sumOfCalls(calls)).toEqual({ count: 1 + 40 + 1, total: 4200 });
    expect([calls[0]?.reference, calls.at(-1)?.reference]).toEqual([references.control, references.recovery]);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1 + 35 + 1);
  });

  it("are as many as an impatient client may send", () => {
    expect(moneyCalls(references, PREPARED_TRANSFERS, 50, clientOf("impatient", 0))).toHaveLength(
      1 + 4 * 40 + 1,
    );
  });

  it("are described by their kinds and their total", () => {
    const reference = "r";
    const mixed = [
      { operation: "createTransfer", reference, amount: 404_000 },
      { operation: "createTransfer", reference, amount: 600 },
      { operation: "createQrTransaction", reference, amount: 0.5 },
    ] as const;

    expect(describeMoney(mixed)).toBe("2 transfers and 1 QR transaction, 404,600.50 in total");
  });

  it("may be without a response up to the most that can have been in flight", () => {
    const sent = [...new Set(calls.map(({ reference }) => reference))];
    const entries = [0, 20].map((index) => answerTo(sent[index] ?? "", "accepted"));

    const unanswered = unansweredOf(calls, entries, 5).map(({ reference }) => reference);

    expect(unanswered).toEqual([...sent.slice(1, 20), ...sent.slice(21, 26)]);
  });
});

describe("the ledger", () => {
  const MONEY = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "5", MAX_PAYOUT_TOTAL: "500" };
  const place = (variables: Record<string, string> = {}) => {
    const folder = temporaryFolder();
    return { folder, target: exampleTarget({ ...MONEY, LEDGER_DIR: folder, ...variables }) };
  };
  const unanswered = (reference: string) => (["b", "c"].includes(reference) ? "unknown" : "no");

  it.each<[string, string, Entry[], string[], number]>([
    [
      "keeps what was accepted or may have moved",
      "a d e f g",
      [
        answerTo("a", "accepted", "T0"),
        answerTo("d", "business-refused"),
        answerTo("e", "timeout"),
        answerTo("f", "business-refused", "T3"),
      ],
      [],
      3,
    ],
    [
      "keeps what may have been sent without a response",
      "a b c c d",
      [answerTo("a", "business-refused")],
      [],
      3,
    ],
    [
      "keeps what the list shows as paid",
      "a d",
      [answerTo("a", "throttled"), answerTo("d", "throttled")],
      ["d"],
      1,
    ],
    [
      "judges each response to a reference",
      "a a a",
      [answerTo("a", "timeout"), answerTo("a", "throttled")],
      [],
      1,
    ],
  ])("%s, and releases the rest", (_, sent, entries, listed, kept) => {
    const { folder, target } = place();
    const references = sent.split(" ");
    const count = references.length;
    const live = HeldMoney.reserve(target, folder, "run", transfersOf100(references));
    const left = HeldMoney.leftBy("run", target, folder);

    // A run that was killed finds in the ledger what it holds.
    expect(left.calls).toMatchObject(live.calls);
    expect(live.close(entries, listed, unanswered)).toEqual({
      planned: { count, total: count * 100 },
      kept: { count: kept, total: kept * 100 },
      released: { count: count - kept, total: (count - kept) * 100 },
      limit: { count: 5, total: 500 },
    });
  });

  it("closes a run that was killed", () => {
    const { folder, target } = place();
    HeldMoney.reserve(target, folder, "killed", transfersOf100(["a", "b"]));
    const left = HeldMoney.leftBy("killed", target, folder);

    expect(left.close([answerTo("a", "business-refused")], [], () => "unknown")).toMatchObject({
      kept: { count: 1, total: 100 },
      released: { count: 1, total: 100 },
    });
    expect(readFileSync(left.path, "utf8").trim().split("\n").at(-1)).toContain('"close"');
  });

  it.each([
    ["MAX_PAYOUTS", { MAX_PAYOUTS: "4" }],
    ["MAX_PAYOUT_TOTAL", { MAX_PAYOUT_TOTAL: "400" }],
  ])("refuses a run that exceeds %s, and keeps nothing", async (variable, cap) => {
    const { folder, target } = place(cap);
    const reserve = () => HeldMoney.reserve(target, folder, "run", transfersOf100(["a", "b", "c", "d", "e"]));

    const error = await commandErrorOf(reserve);

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(variable)] });
    expect(error.message).toContain("room for 5 transfers, 500.00 in total");
    expect(HeldMoney.leftBy("run", target, folder).calls).toEqual([]);
  });
});
