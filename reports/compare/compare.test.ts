import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { readBaseline } from "../verdicts/run.ts";
import type { CheckResult, Verdict } from "../verdicts/verdict.ts";
import { renderDifference } from "./difference.ts";

const check = (name: string, verdict: Verdict, more: Partial<CheckResult> = {}) =>
  exampleCheck(verdict, { id: `listTransfers/${name}`, ...more });

const runOf = (checks: readonly CheckResult[], others: readonly RunEvent[] = []) =>
  buildVerdicts([...exampleRun(checks), ...others]);

const observed = (text: string): RunEvent => ({
  type: "observation",
  observation: { item: "G05", operation: "createTransfer", text },
});

describe("readBaseline", () => {
  it("reads a verdicts.json or the folder of a run, and refuses anything else in one line", () => {
    const folder = temporaryFolder();
    const path = join(folder, "verdicts.json");
    writeFileSync(path, JSON.stringify(runOf([check("ok", "pass")])));
    writeFileSync(join(folder, "other.json"), '{"schema":"payments-conformance/verdicts@1"}');

    expect(readBaseline(path).verdicts).toEqual({ "listTransfers/ok": "pass" });
    expect(readBaseline(folder).verdicts).toEqual({ "listTransfers/ok": "pass" });
    expect(() => readBaseline(join(folder, "missing.json"))).toThrow(/missing\.json cannot be read/);
    expect(() => readBaseline(join(folder, "other.json"))).toThrow(
      /other\.json at suite: .* of this version$/,
    );
  });
});

describe("npm run report -- diff", () => {
  it("says what it said when it was reviewed: new, fixed and other verdicts, observations and timings", async () => {
    const { text, worse } = renderDifference(
      runOf(
        [
          check("a", "pass"),
          check("b", "fail"),
          check("c", "pass", { level: "SHOULD" }),
          check("d", "pass"),
          check("slow", "pass", { durationMs: 40 }),
        ],
        [observed("gets 200"), observed("is replayed")],
      ),
      runOf(
        [
          check("a", "fail", { actual: "returned 500" }),
          check("b", "pass"),
          check("c", "warn", { level: "SHOULD", message: "no header" }),
          check("e", "pass"),
          check("slow", "pass", { durationMs: 400 }),
        ],
        [observed("gets 201"), observed("is replayed")],
      ),
    );

    expect(worse).toBe(true);
    await expect(`${text}\n`).toMatchFileSnapshot("../testing/golden/difference.txt");
  });

  it("says that nothing changed, and takes a small difference in time for noise", () => {
    const { text } = renderDifference(
      runOf([check("a", "pass", { durationMs: 10 })]),
      runOf([check("a", "pass", { durationMs: 30 })]),
    );

    expect(text).toContain("Verdicts, observations and timings are the same.");
  });
});
