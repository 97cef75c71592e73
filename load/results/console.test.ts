import { describe, expect, it } from "vitest";
import { transfersOf } from "../reconcile/journal.ts";
import { invariant } from "../reconcile/judge.ts";
import { renderResult, renderStart } from "./console.ts";
import type { LoadResult } from "./result.ts";

const references = ["a", "b", "c", "d", "e", "f", "g"];
const twice = transfersOf([], references);

const result = (change: Partial<LoadResult> = {}): LoadResult => ({
  schema: "payments-conformance/load@1",
  suite: { version: "0.1.0", commit: "unknown" },
  target: { name: "payments staging", baseUrl: "https://sandbox.example.com", embedded: false },
  runId: "0123abcd",
  workload: "transfers",
  profile: { name: "average", model: "open", rate: 20, seconds: 60 },
  iterations: 1201,
  k6: "2.2.0",
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:01:40.000Z",
  command: "npm run load -- transfers --profile average",
  measured: {
    runId: "0123abcd",
    durationMs: 60_000,
    iterations: 1200,
    dropped: 1,
    exceptions: 0,
    scheduleLagP99Ms: 4.4,
    operations: {
      createTransfer: {
        planned: 1200,
        requests: 1200,
        latencyMs: { min: 1, avg: 2, max: 812.4, p50: 12.34, p95: 45.6, p99: 123.4 },
        outcomes: { accepted: 1190, "business-refused": 10 },
      },
      listTransfers: {
        planned: 10,
        requests: 9,
        latencyMs: { min: 1, avg: 2, max: 3 },
        outcomes: { accepted: 9 },
      },
    },
    thresholds: [],
  },
  generator: { cpuShare: 0.123 },
  validity: "valid",
  reconciled: 7,
  invariants: [
    invariant("L1", "held", "7 of 7"),
    invariant("L2", "broken", "up to 2 payouts for 7 of 7 references", twice),
  ],
  money: {
    planned: { count: 7, total: 700 },
    kept: { count: 7, total: 700 },
    released: { count: 0, total: 0 },
    limit: { count: 100, total: 10_000 },
  },
  problems: [],
  outcome: "failed",
  exitCode: 1,
  because: "broken invariant: L2 (no reference is paid twice): up to 2 payouts for 7 of 7 references",
  ...change,
});

const render = (change: Partial<LoadResult> = {}) =>
  renderResult(result(change), { color: false, directory: "reports/out/run" });

describe("renderResult", () => {
  it("shows rates and percentiles, the invariants and the verdict", () => {
    expect(render()).toBe(`
                requests  per s  p50 ms  p95 ms  p99 ms  max ms  outcomes
createTransfer      1200   20.0    12.3    45.6     123     812  1190 accepted, 10 business-refused
listTransfers          9    0.1       -       -       -     3.0  9 accepted
- means too few responses (needed: p50 20, p95 200, p99 1000)

20.0 of 20 requests/s, 1 iteration dropped, p99 of the schedule lag 4 ms, CPU 12 % busy: valid

Correctness under load (7 transfer references looked up in the transfer list):
  L1  held    every accepted transfer is listed: 7 of 7
  L2  broken  no reference is paid twice: up to 2 payouts for 7 of 7 references
      a, b, c, d, e and 2 more in result.json

FAILED (exit code 1): broken invariant: L2 (no reference is paid twice): up to 2 payouts for 7 of 7 references
Written to reports/out/run: result.json, run.json, answers.log, k6.log
`);
  });

  it("shows what is known if k6 was killed", () => {
    const { measured: _, ...rest } = result({
      invariants: [],
      problems: ["k6 was killed before it finished"],
    });

    const text = renderResult(rest, { color: false, directory: "out" });

    expect(text).toContain("k6 was killed before it finished");
    expect(text).not.toContain("requests");
  });

  it("says first and last that the run loads the embedded sandbox, not a deployment of the user", () => {
    const target = { baseUrl: "http://127.0.0.1:9", embedded: true };

    expect(renderStart(result({ target })).split("\n")[0]).toMatch(
      /this run loads the embedded sandbox, not a deployment of yours/,
    );
    expect(render({ target }).trim().split("\n").at(-1)).toMatch(
      /this run loaded the embedded sandbox, not a deployment of yours/,
    );
  });

  it("says that a smoke run measures no load", () => {
    const profile = { name: "smoke", model: "closed", rate: 20, seconds: 6 } as const;

    expect(render({ profile })).toContain(
      "20.0 requests/s in a smoke run; its latencies do not represent load\n",
    );
    expect(renderStart(result({ profile }))).toContain(
      "Workload transfers, profile smoke: 1,201 requests, at most 20 per second.",
    );
  });

  it("names the objectives that had too few requests to be judged", () => {
    const objectives = { latency: { createTransfer: { p99: 500 }, listTransfers: { p50: 100, p99: 500 } } };

    expect(render({ objectives })).toContain(
      "Too few requests to judge these objectives: listTransfers p50 p99\n",
    );
  });

  it("uses colour only on request", () => {
    expect(render()).not.toContain("\u001b");
    expect(renderResult(result(), { color: true, directory: "out" })).toContain("\u001b[31mFAILED");
  });
});
