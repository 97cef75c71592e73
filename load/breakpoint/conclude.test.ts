import { describe, expect, it } from "vitest";
import type { BreakpointStep } from "./breakpoint-result.ts";
import type { Cause } from "./cause.ts";
import { conclude } from "./conclude.ts";

function step(rate: number, change: Partial<BreakpointStep> = {}): BreakpointStep {
  return {
    kind: "hold",
    rate,
    seconds: 60,
    state: "held",
    causes: [],
    defects: [],
    undecided: [],
    notes: [],
    requests: 60 * rate,
    kept: { count: 0, total: 0 },
    folder: "1",
    ...change,
  };
}

const broke = (rate: number, kind: Cause["kind"] = "latency") =>
  step(rate, { state: "broke", causes: [{ kind, operation: "createTransfer", text: "it took 600 ms" }] });
const ramp = step(200, { kind: "ramp", state: "broke", causes: [{ kind: "errors", text: "" }] });

describe("conclude", () => {
  it("states the rate with its two bounds, and what broke first above it", () => {
    expect(conclude([ramp, step(100), broke(159), step(152)])).toEqual({
      outcome: "found",
      exitCode: 0,
      bounds: { held: 152, broke: 159 },
      causes: [expect.objectContaining({ kind: "latency" })],
      because: "the target held 152/s for 60 s, and not 159/s (latency of createTransfer: it took 600 ms)",
    });
  });

  it.each([
    [1, "no rate held", [ramp, broke(10)], undefined, /did not even hold 10\/s/],
    [0, "the highest rate held", [ramp, step(200)], undefined, /the highest rate of the search; raise RATE/],
    [4, "the generator broke first", [step(100), broke(105, "generator")], undefined, /may hold more/],
    [4, "an invariant is undecided", [step(100, { undecided: ["L1 (x): y"] }), broke(105)], undefined, /L1/],
    [
      1,
      "an invariant is broken",
      [step(100), step(105, { state: "defect", defects: ["L2 (paid twice): r-1"] })],
      undefined,
      /^at 105\/s, .* at any rate: L2 \(paid twice\): r-1$/,
    ],
    [
      130,
      "it was interrupted",
      [step(100), step(105, { state: "stopped" })],
      130,
      /interrupted; the target held/,
    ],
    [3, "a run could not start", [broke(105)], 3, /could not start/],
    [70, "the suite failed", [], 70, /no rate was judged/],
  ] as const)("exits with %i if %s", (exitCode, _, steps, endedBy, because) => {
    expect(conclude(steps, endedBy)).toMatchObject({ exitCode, because: expect.stringMatching(because) });
  });
});
