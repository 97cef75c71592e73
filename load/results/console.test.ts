import { expect, test } from "vitest";
import { profiles, shaped } from "../k6/profiles.ts";
import { exampleMeasurements, exampleResult, loggedResponse, recorded } from "../testing/example-result.ts";
import { renderResult, renderStart } from "./console.ts";
import { invariant, type LoadResult } from "./result.ts";
import { judgeThresholds } from "./thresholds.ts";

const HOSTILE = "x\n::error::stolen\n`` @everyone <img src=x> [a](b) | \u0007";

const console = (result: LoadResult, color = false) =>
  `${renderStart(result)}${renderResult(result, { color, directory: "reports/out/run" })}`;

/** A run whose responses had each of some outcomes once, 2 s after its start. */
function runWith(...outcomes: readonly string[]): Pick<LoadResult, "measured"> {
  const lines = outcomes.map((outcome, iteration) => loggedResponse({ iteration, outcome, dueMs: 2000 }));
  return { measured: recorded(lines) };
}

const RAMP = [
  { seconds: 0, rate: 1 },
  { seconds: 60, rate: 20 },
];
const { measured: _, ...unmeasured } = exampleResult({
  invariants: [],
  problems: ["k6 was killed", HOSTILE],
});

const MEASURED = exampleMeasurements();
const LATENCY = { createTransfer: { p99: 500 }, listTransfers: { p50: 9 } };

const RUNS: Readonly<Record<string, LoadResult>> = {
  failing: exampleResult({
    measured: { ...MEASURED, thresholds: judgeThresholds(MEASURED, { latency: LATENCY }) },
  }),
  smoke: exampleResult({
    target: { baseUrl: "http://127.0.0.1:9", embedded: true },
    profile: { name: "smoke", ...profiles.average },
    invariants: (["held", "undecided", "warned", "unjudged"] as const).map((state) =>
      invariant("L10", state, "as it is", ["r1"]),
    ),
  }),
  throttled: exampleResult({
    ...runWith("accepted", "server-error", "throttled", "timeout"),
    profile: { name: "mine", ...shaped(RAMP) },
    runners: 4,
    outcome: "undecided",
    exitCode: 4,
    because: "few requests",
  }),
  killed: { ...unmeasured, outcome: "error", exitCode: 70, because: HOSTILE },
};

test.each(Object.entries(RUNS))(
  "of a %s run, the console says what it said when it was reviewed",
  async (run, result) => {
    await expect(console(result)).toMatchFileSnapshot(`../testing/golden/${run}.console.txt`);
  },
);

test("the console uses colour only on request", () => {
  expect(console(exampleResult())).not.toContain("\u001b");
  expect(console(exampleResult(), true)).toContain("\u001b[31mFAILED");
});
