import { describe, expect, it } from "vitest";
import type { Summary } from "../k6/summary.ts";
import type { Entry } from "../reconcile/journal.ts";
import { answerTo } from "../testing/example-load.ts";
import { disagreements, shortcomings } from "./agreement.ts";

const RUN = "0123abcd";

const measured = (outcomes: Summary["operations"][keyof Summary["operations"]], iterations = 4): Summary => ({
  runId: RUN,
  durationMs: 1_000,
  iterations,
  dropped: 0,
  exceptions: 0,
  operations: { ...(outcomes && { createTransfer: outcomes }) },
  thresholds: [],
});

const counted = (outcomes: Readonly<Partial<Record<Entry["outcome"], number>>>) => {
  const requests = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return measured({ planned: 4, requests, latencyMs: {}, outcomes }, requests);
};

const JOURNAL = [
  answerTo("a", "accepted"),
  answerTo("b", "accepted"),
  answerTo("c", "accepted"),
  answerTo("d", "timeout"),
];

describe("disagreements", () => {
  it("finds none if the log has each request that k6 counted, with its outcome", () => {
    expect(disagreements(RUN, counted({ accepted: 3, timeout: 1 }), JOURNAL)).toEqual([]);
  });

  it.each<[string, readonly Entry[]]>([
    ["half of its lines", JOURNAL.slice(0, 2)],
    ["no line", []],
    ["another outcome", [...JOURNAL.slice(0, 3), answerTo("d", "business-refused")]],
    ["a line too many", [...JOURNAL, answerTo("e", "accepted")]],
  ])("finds a log with %s", (_, journal) => {
    const [difference, ...others] = disagreements(RUN, counted({ accepted: 3, timeout: 1 }), journal);

    expect(difference).toMatch(/^answers\.log and k6's counters differ for createTransfer: .*4, 3 accepted/);
    expect(others).toEqual([]);
  });

  it("finds the summary of another run", () => {
    const other = { ...counted({ accepted: 3, timeout: 1 }), runId: "ffffffff" };

    expect(disagreements(RUN, other, JOURNAL)).toEqual(["summary.json belongs to the run ffffffff"]);
  });
});

describe("shortcomings", () => {
  it.each([
    ["nothing sent", 30, counted({}), false, ["k6 started only 0 of 30 requests"]],
    ["all sent", 4, counted({ accepted: 4 }), false, []],
    ["one failure in twenty", 20, counted({ accepted: 19, timeout: 1 }), false, []],
    [
      "94 failures of 99",
      99,
      counted({ accepted: 5, "connection-error": 94 }),
      false,
      ["94 of 99 requests got no usable response (at most 5 %, unless SLO names another limit)"],
    ],
    ["94 failures of 99 with a limit of the operator", 99, counted({ accepted: 5, unknown: 94 }), true, []],
  ] as const)("of a run with %s", (_, planned, summary, hasOwnLimit, found) => {
    expect(shortcomings(planned, summary, hasOwnLimit)).toEqual(found);
  });
});
