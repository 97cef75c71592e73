import { describe, expect, it } from "vitest";
import { EXAMPLE_RUN } from "../testing/example-result.ts";
import { type Breakpoint, BreakpointFile, type BreakpointStep } from "./breakpoint-result.ts";
import { conclude } from "./conclude.ts";
import { renderBreakpoint, renderBreakpointSummary } from "./render.ts";

const STEP: BreakpointStep = {
  kind: "hold",
  rate: 152,
  seconds: 60,
  state: "held",
  causes: [],
  defects: [],
  undecided: [],
  notes: ["Too few responses to judge these objectives: listTransfers p99"],
  requests: 9120,
  kept: { count: 7296, total: 729_600 },
  folder: "3-152",
};
const SLOW = "createTransfer took 611.7 ms at p95 (objective: at most 500 ms) | <img src=x>";
const STEPS: readonly BreakpointStep[] = [
  { ...STEP, kind: "ramp", rate: 200, seconds: 300, state: "broke", from: 150, causes: [] },
  STEP,
  {
    ...STEP,
    rate: 159,
    state: "broke",
    causes: [{ kind: "latency", operation: "createTransfer", text: SLOW }],
  },
];
const FOUND: Breakpoint = {
  schema: "payments-conformance/breakpoint@1",
  suite: EXAMPLE_RUN.suite,
  target: EXAMPLE_RUN.target,
  workload: "transfers",
  client: "patient",
  top: 200,
  seconds: 60,
  startedAt: EXAMPLE_RUN.startedAt,
  finishedAt: EXAMPLE_RUN.startedAt,
  command: "npm run load -- breakpoint transfers",
  steps: STEPS,
  money: { most: { count: 90_000, total: 9e6 }, kept: { count: 14_592, total: 1_459_200 } },
  ...conclude(STEPS),
};

describe("the result of a search", () => {
  it("is a table of its steps, the ramp and the highest rates first, and one line with the rate and its bounds", () => {
    const lines = renderBreakpoint(FOUND, { color: false, directory: "reports/out/breakpoint-1" }).split(
      "\n",
    );

    expect(lines.slice(1, 5)).toEqual([
      "                               rate   time  sent",
      "not held from 150/s on  up to 200/s  300 s  9120",
      `not held                      159/s   60 s  9120  latency of createTransfer: ${SLOW}`,
      "held                          152/s   60 s  9120",
    ]);
    expect(lines).toContain("152/s: Too few responses to judge these objectives: listTransfers p99");
    expect(lines).toContain(
      `FOUND (exit code 0): the target held 152/s for 60 s, and not 159/s (latency of createTransfer: ${SLOW})`,
    );
  });

  it("is a table in Markdown in which nothing from the target is markup", () => {
    const row = renderBreakpointSummary(FOUND)
      .split("\n")
      .find((line) => line.startsWith("| 159"));

    expect(row).toBe(
      `| 159 | not held | 9120 | \`latency of createTransfer: ${SLOW.replace("|", "\\|")}\` |`,
    );
  });

  it("is a file of which the schema is known", () => {
    expect(BreakpointFile.parse(JSON.parse(JSON.stringify(FOUND)))).toEqual(FOUND);
  });
});
