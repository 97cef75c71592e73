import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Caps, closeLedger, Ledger } from "../../fixtures/run/ledger.ts";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { referenceOf } from "../k6/reference.ts";
import { Schedule } from "../k6/schedule.ts";
import { workloads } from "../k6/workloads.ts";
import type { Entry } from "../reconcile/journal.ts";
import { moneyCalls, Reservations, sumOf, unansweredOf } from "./money.ts";

const template = { url: "", headers: {}, body: null };
const prepared = {
  templates: { createTransfer: template, listTransfers: template },
  stakes: new Map([["createTransfer", 100] as const]),
  missing: [],
};
const calls = moneyCalls("run", new Schedule(workloads.transfers), 50, prepared);

const answer = (reference: string, outcome: Entry["outcome"], identifier: string | null = null): Entry => ({
  operation: "createTransfer",
  reference,
  outcome,
  status: 200,
  identifier,
});

/** Reserves calls under these caps; gives what to settle, and the sums once the run is closed. */
function reserved(caps: Caps, wanted = calls) {
  const path = join(temporaryFolder(), "ledger.jsonl");
  const reserve = () => new Reservations(new Ledger(path, "run", caps), wanted);
  return { reserve, close: () => closeLedger(path, "run", sumOf(wanted), caps) };
}

describe("money calls of a run", () => {
  it("are the control and every transfer, repeats included, before any of them is sent", () => {
    expect(sumOf(calls)).toEqual({ count: 1 + 40, total: 4100 });
    expect(calls[0]?.reference).toBe("load-run-control");
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1 + 35);
  });
});

describe("reservations of a run", () => {
  it("keep what was accepted or may have moved and release the rest", () => {
    const four = [0, 1, 2, 3, 4].map((iteration) => ({
      operation: "createTransfer" as const,
      reference: referenceOf("run", iteration),
      amount: 100,
    }));
    const { reserve, close } = reserved({ count: 5, total: 500 }, four);

    reserve().settle([
      answer(referenceOf("run", 0), "accepted", "T0"),
      answer(referenceOf("run", 1), "business-refused"),
      answer(referenceOf("run", 2), "timeout"),
      answer(referenceOf("run", 3), "business-refused", "T3"),
    ]);

    expect(close()).toMatchObject({
      planned: { count: 5, total: 500 },
      kept: { count: 3, total: 300 },
      released: { count: 2, total: 200 },
    });
  });

  it("keep what may have been sent when the run was cut short", () => {
    const { reserve, close } = reserved({ count: null, total: null });
    const unanswered = unansweredOf(calls, [], 3);

    reserve().settle([], unanswered);

    const mine = calls.filter(({ reference }) => unanswered.includes(reference));
    expect(close().kept).toEqual(sumOf(mine));
  });

  it.each([
    ["MAX_PAYOUTS", { count: 40, total: null }],
    ["MAX_PAYOUT_TOTAL", { count: null, total: 4000 }],
  ])("do not begin beyond %s", async (variable, caps) => {
    const { reserve, close } = reserved(caps);

    const refusal = await commandErrorOf(reserve);

    expect(refusal).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(variable)] });
    expect(close().kept).toEqual({ count: 0, total: 0 });
  });
});

describe("references without an answer", () => {
  it("are those without a line, up to what can have been under way after the last line", () => {
    const references = [...new Set(calls.map(({ reference }) => reference))];
    const entries = [0, 20].map((index) => answer(references[index] ?? "", "accepted"));

    const unanswered = unansweredOf(calls, entries, 5);

    expect(unanswered).toEqual([...references.slice(1, 20), ...references.slice(21, 26)]);
  });
});
