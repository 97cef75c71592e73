import { describe, expect, it } from "vitest";
import type { Line } from "../../results/recording/answers.ts";
import { ServerErrors } from "./server-errors.ts";

/** Ten responses per second, of which some are server errors. */
function load(seconds: number, errorsOf: (second: number) => number): Line[] {
  return Array.from({ length: seconds * 10 }, (_, iteration) => ({
    kind: "answer",
    operation: "createTransfer",
    reference: `r${iteration}`,
    status: 200,
    identifier: null,
    outcome: iteration % 10 < errorsOf(Math.floor(iteration / 10)) ? "server-error" : "accepted",
    iteration,
    isRepeat: false,
    startedMs: iteration * 100,
    tookMs: 5,
  }));
}

/** The second at which the load is stopped, and why. */
function stopIn(lines: readonly Line[]) {
  const reasons: string[] = [];
  const errors = new ServerErrors((reason) => reasons.push(reason));
  for (const line of lines) {
    errors.add(line);
    if (reasons.length > 0 && line.kind === "answer")
      return { at: line.startedMs / 1000, reason: reasons[0] };
  }
  return undefined;
}

describe("ServerErrors", () => {
  it("stops a load of which more than half fails for 30 s", () => {
    expect(stopIn(load(60, () => 6))).toEqual({
      at: 30,
      reason: "180 of 300 responses within 30 s were server errors",
    });
  });

  it("stops it when the last 30 s are that bad, however long it went well before", () => {
    expect(stopIn(load(120, (second) => (second < 60 ? 0 : 10)))?.at).toBe(76);
  });

  it.each([
    ["half of the responses fail", () => 5],
    ["everything fails for 14 s", (second: number) => (second >= 40 && second < 54 ? 10 : 0)],
  ])("lets a load go on if %s", (_, errorsOf) => {
    expect(stopIn(load(90, errorsOf))).toBeUndefined();
  });

  it("lets a load go on that fails from its beginning, for less than 30 s", () => {
    expect(stopIn(load(29, () => 10))).toBeUndefined();
  });
});
