import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import type { Baseline } from "../verdicts/baseline.ts";
import type { RunStarted } from "../verdicts/run.ts";
import { readBaseline } from "../verdicts/run.ts";
import type { CheckResult, Verdict } from "../verdicts/verdict.ts";
import { renderDifference } from "./difference.ts";

const check = (name: string, verdict: Verdict, more: Partial<CheckResult> = {}) =>
  exampleCheck(verdict, { id: `listTransfers/${name}`, ...more });

const runOf = (
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
  others: readonly RunEvent[] = [],
) => buildVerdicts([...exampleRun(checks, start), ...others]);

const baselineOf = (verdicts: Record<string, Verdict>): Baseline => ({
  path: "earlier/verdicts.json",
  startedAt: "2026-02-01T10:00:00.000Z",
  verdicts: Object.fromEntries(
    Object.entries(verdicts).map(([name, verdict]) => [`listTransfers/${name}`, verdict]),
  ),
});

/** Judges a gate that is compared with an earlier run. */
const gate = (
  before: Record<string, Verdict>,
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
) => runOf(checks, { command: "gate", baseline: baselineOf(before), ...start });

const ok = check("ok", "pass");
const noData = { reason: "variable", variables: ["PLAN_ID"] } as const;
const KNOWN = {
  outcome: "non-conformant",
  because: expect.stringMatching(/2026-02-01; 1 known failure left$/),
};
const NEW = {
  because: "1 new failure since the baseline of 2026-02-01: listTransfers/x",
  baseline: { newFailures: ["listTransfers/x"] },
};
const EXPIRED = { check: "listTransfers/x", reason: "known", owner: "Ada", expires: "2026-01-01" };

it.each<[number, string, Verdict | undefined, CheckResult | undefined, object?, Partial<RunStarted>?]>([
  [1, "fails for the first time", "pass", check("x", "fail"), NEW],
  [1, "is new and fails", undefined, check("x", "fail"), NEW],
  [1, "failed after it was inconclusive", "inconclusive", check("x", "fail"), NEW],
  [1, "passed and is now inconclusive", "pass", check("x", "inconclusive"), NEW],
  [1, "passed and is now not tested", "pass", check("x", "not-tested", noData), NEW],
  [1, "passed and now passes weakly", "pass", check("x", "pass-weak"), NEW],
  [1, "passed and vanished", "pass", undefined, NEW],
  [0, "failed before", "fail", check("x", "fail"), { ...KNOWN, baseline: { known: ["listTransfers/x"] } }],
  [0, "was waived before and fails", "waived", check("x", "fail"), KNOWN],
  [0, "was as open before", "inconclusive", check("x", "inconclusive")],
  [0, "is now out of scope", "pass", check("x", "not-tested", { reason: "out-of-scope" })],
  [0, "was not selected", "pass", undefined, {}, { selected: true, registered: ["listTransfers/x"] }],
  [0, "only warns", "pass", check("x", "warn", { level: "SHOULD" })],
  [
    0,
    "was fixed",
    "fail",
    check("x", "pass"),
    { outcome: "conformant", baseline: { fixed: ["listTransfers/x"] } },
  ],
  [4, "is open, with --strict", "inconclusive", check("x", "inconclusive"), {}, { strict: true }],
  [5, "has an expired waiver", "fail", check("x", "fail"), {}, { waivers: [EXPIRED] }],
  [70, "broke", "pass", check("x", "suite-error")],
])("a gate with a baseline exits %i if a check %s", (exitCode, _case, before, now, more = {}, start = {}) => {
  const file = gate({ ok: "pass", ...(before && { x: before }) }, [ok, ...(now ? [now] : [])], start);

  expect(file).toMatchObject({ exitCode, ...(exitCode === 0 && { baseline: { newFailures: [] } }), ...more });
});

it("exits 4 if nothing passed, whatever is known, and 130 if it was interrupted", () => {
  const interrupted = runOf([ok], { command: "gate", baseline: baselineOf({ ok: "pass" }) }, [
    { type: "interrupted" },
  ]);

  expect(gate({ x: "inconclusive" }, [check("x", "inconclusive")]).exitCode).toBe(4);
  expect(gate({ x: "fail" }, [check("x", "fail")]).exitCode).toBe(4);
  expect(interrupted.exitCode).toBe(130);
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
  it("shows what is new, what was fixed, and what else changed", () => {
    const before = runOf([
      check("a", "pass"),
      check("b", "fail"),
      check("c", "pass", { level: "SHOULD" }),
      check("d", "pass"),
    ]);
    const after = runOf([
      check("a", "fail", { actual: "returned 500" }),
      check("b", "pass"),
      check("c", "warn", { level: "SHOULD", message: "no header" }),
      check("e", "pass"),
    ]);

    const { text, worse } = renderDifference(before, after);

    expect(worse).toBe(true);
    expect(text.split("\n").slice(2)).toEqual([
      "",
      "NEW FAILURES (2)",
      "  listTransfers/a: passed, now failed (returned 500)",
      "  listTransfers/d: passed, now absent",
      "",
      "FIXED (1)",
      "  listTransfers/b: failed, now passed",
      "",
      "OTHER VERDICTS THAT CHANGED (2)",
      "  listTransfers/c: passed, now warned (no header)",
      "  listTransfers/e: absent, now passed",
      "",
      "2 new failures, 1 fixed, 5 verdicts changed.",
    ]);
  });

  it("shows observations and timings that changed", () => {
    const observed = (text: string): RunEvent => ({
      type: "observation",
      observation: { item: "G05", operation: "createTransfer", text },
    });
    const { text, worse } = renderDifference(
      runOf([check("a", "pass", { durationMs: 40 })], {}, [observed("gets 200"), observed("is replayed")]),
      runOf([check("a", "pass", { durationMs: 400 })], {}, [observed("gets 201"), observed("is replayed")]),
    );

    expect(worse).toBe(false);
    expect(text).toContain("OBSERVED ONLY BEFORE (1)\n  createTransfer: gets 200 (G05)");
    expect(text).toContain("OBSERVED ONLY AFTER (1)\n  createTransfer: gets 201 (G05)");
    expect(text).toContain("  listTransfers: 40 ms, now 400 ms");
    expect(text).not.toContain("is replayed");
  });

  it("says that nothing changed, and takes a small difference in time for noise", () => {
    const { text } = renderDifference(
      runOf([check("a", "pass", { durationMs: 10 })]),
      runOf([check("a", "pass", { durationMs: 30 })]),
    );

    expect(text).toContain("Verdicts, observations and timings are the same.");
  });
});
