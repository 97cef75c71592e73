import { describe, expect, it } from "vitest";
import { IMPATIENT, patient } from "../k6/client.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { answerTo, PREPARED_TRANSFERS } from "../testing/example-load.ts";
import { describeMoney, moneyCalls, sumOfCalls, unansweredOf } from "./money-calls.ts";

const references = referencesOf("0123abcd");
const calls = moneyCalls(references, PREPARED_TRANSFERS, 50, patient(10_000));

describe("moneyCalls", () => {
  it("lists the transfers before and after the load, and every transfer of the load, repeats included", () => {
    expect(sumOfCalls(calls)).toEqual({ count: 1 + 40 + 1, total: 4200 });
    expect(calls[0]?.reference).toBe(references.control);
    expect(calls.at(-1)?.reference).toBe(references.recovery);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1 + 35 + 1);
  });

  it("counts each transfer as often as an impatient client may send it", () => {
    const impatient = moneyCalls(references, PREPARED_TRANSFERS, 50, IMPATIENT);

    expect(sumOfCalls(impatient).count).toBe(1 + 4 * 40 + 1);
  });
});

describe("describeMoney", () => {
  it("counts the calls by kind and adds up their amounts", () => {
    const reference = "r";
    const mixed = [
      { operation: "createTransfer", reference, amount: 404_000 },
      { operation: "createTransfer", reference, amount: 600 },
      { operation: "createQrTransaction", reference, amount: 0.5 },
    ] as const;

    expect(describeMoney(mixed)).toBe("2 transfers and 1 QR transaction, 404,600.50 in total");
  });
});

describe("unansweredOf", () => {
  it("lists references without a response, up to the most that can have been in flight", () => {
    const sent = [...new Set(calls.map(({ reference }) => reference))];
    const entries = [0, 20].map((index) => answerTo(sent[index] ?? "", "accepted"));

    const unanswered = unansweredOf(calls, entries, 5);

    expect(unanswered).toEqual([...sent.slice(1, 20), ...sent.slice(21, 26)]);
  });
});
