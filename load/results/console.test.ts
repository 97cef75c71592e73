import { describe, expect, it } from "vitest";
import { loggedAnswer, recorded, exampleResult as result } from "../testing/example-result.ts";
import { renderResult, renderStart } from "./console.ts";
import type { LoadResult } from "./result.ts";

const render = (change: Partial<LoadResult> = {}) =>
  renderResult(result(change), { color: false, directory: "reports/out/run" });

describe("renderResult", () => {
  it("shows rates and percentiles, the invariants and the verdict", () => {
    expect(render()).toBe(`
                sent  accepted  refused  throttled  errors  unknown  per s  p50 ms  p95 ms  p99 ms  max ms
createTransfer   960       950       10          0       0        0   16.0    29.1    2008       -    5000
listTransfers    240       240        0          0       0        0    4.0    15.5     900       -    2400
- means too few responses (needed: p50 20, p95 200, p99 1000)

20.0 of 20 requests/s, 0 iterations dropped, p99 of the schedule lag 0 ms, k6 used 12 % of the CPU: valid

Correctness under load (7 transfer references looked up in the transfer list):
  L1  held    every accepted transfer is listed: 7 of 7
  L2  broken  no reference is paid twice: up to 2 payouts for 7 of 7 references
      a, b, c, d, e and 2 more in result.json

server errors: 0 | timeouts: 0 | lost connections: 0 | dropped iterations: 0 | highest p95: 2008 ms (createTransfer; latency was not judged)
FAILED (exit code 1): broken invariant: L2 (no reference is paid twice): up to 2 payouts for 7 of 7 references
Written to reports/out/run: load.html, result.json, summary.md, junit.xml, run.json, answers.log, k6.log
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
      "Workload transfers, profile smoke: 1,200 requests, at most 20 per second.",
    );
  });

  it("counts the customers and beneficiaries that took part, and warns of a single one", () => {
    expect(render({ records: { customers: 1, beneficiaries: 12 } })).toContain(
      `The requests named 1 customer and 12 beneficiaries.
Warning: with only one customer, a cache may have answered; give more in DATA
`,
    );
    expect(render({ records: { beneficiaries: 2 } })).not.toContain("Warning");
  });

  it("says how a shape goes up, and what an impatient client does", () => {
    const stages = [
      { seconds: 0, rate: 1 },
      { seconds: 60, rate: 20 },
    ];
    const profile = {
      name: "mine",
      model: "open",
      rate: 20,
      seconds: 60,
      stages,
      arrivals: "poisson",
    } as const;

    expect(renderStart(result({ profile, client: "impatient" }))).toContain(
      "Workload transfers, profile mine: 1,200 requests in 60 s, up to 20 per second, at random times; what takes longer than 2 s is sent again, up to 3 times.",
    );
  });

  it("names the objectives that had too few responses to be judged", () => {
    const objectives = { latency: { createTransfer: { p99: 500 }, listTransfers: { p50: 100, p99: 500 } } };

    expect(render({ objectives })).toContain(
      "Too few responses to judge these objectives: createTransfer p99, listTransfers p99\n",
    );
  });

  it("names the kinds of failures, and says at which rate the target began to throttle", () => {
    const outcomes = ["accepted", "server-error", "throttled", "timeout"];
    const lines = outcomes.map((outcome, iteration) => loggedAnswer({ iteration, outcome, dueMs: 2000 }));
    const measured = recorded(lines).summary();

    const text = render({ ...(measured && { measured }) });

    expect(text).toMatch(/createTransfer +4 +1 +0 +1 +1 +1 /);
    expect(text).toContain("\ncreateTransfer: 1 server error, 1 timeout\n");
    expect(text).toContain(
      "\nserver errors: 1 | timeouts: 1 | lost connections: 0 | dropped iterations: 1,196 (of 1,200) |",
    );
    expect(text).toMatch(/began to throttle .* at 4\.0 requests\/s, 2 s into the load, and served 3\.0\/s/);
  });

  it("says how many runners shared the load, whose own logs of k6 are elsewhere", () => {
    const text = render({ runners: 4 });

    expect(text).toContain("\nMerged from the logs of 4 runners.\n");
    expect(text).not.toContain("k6.log");
  });

  it("uses colour only on request", () => {
    expect(render()).not.toContain("\u001b");
    expect(renderResult(result(), { color: true, directory: "out" })).toContain("\u001b[31mFAILED");
  });
});
