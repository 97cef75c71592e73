import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import type { Baseline } from "../verdicts/baseline.ts";
import { readBaseline } from "../verdicts/read-verdicts.ts";
import type { RunStarted } from "../verdicts/run.ts";
import type { CheckResult, Verdict } from "../verdicts/verdict.ts";
import { baselineLines, renderDifference } from "./difference.ts";

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

/** A gate that is compared with an earlier run. */
const gate = (
  before: Record<string, Verdict>,
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
) => runOf(checks, { command: "gate", baseline: baselineOf(before), ...start });

describe("gate --baseline", () => {
  it("exits 0 if only known failures are left, and still calls the deployment not conformant", () => {
    const file = gate({ ok: "pass", old: "fail" }, [check("ok", "pass"), check("old", "fail")]);

    expect(file).toMatchObject({
      outcome: "non-conformant",
      exitCode: 0,
      because: "no new failure since the baseline of 2026-02-01; 1 known failure left",
      baseline: { newFailures: [], fixed: [], known: ["listTransfers/old"] },
    });
  });

  it.each<[string, Record<string, Verdict>, CheckResult[]]>([
    ["fails for the first time", { ok: "pass", x: "pass" }, [check("ok", "pass"), check("x", "fail")]],
    ["is new and fails", { ok: "pass" }, [check("ok", "pass"), check("x", "fail")]],
    [
      "failed after it was inconclusive",
      { ok: "pass", x: "inconclusive" },
      [check("ok", "pass"), check("x", "fail")],
    ],
    [
      "passed and is now inconclusive",
      { ok: "pass", x: "pass" },
      [check("ok", "pass"), check("x", "inconclusive")],
    ],
    [
      "passed and is now not tested",
      { ok: "pass", x: "pass" },
      [check("ok", "pass"), check("x", "not-tested", { reason: "variable", variables: ["PLAN_ID"] })],
    ],
    [
      "passed and now passes weakly",
      { ok: "pass", x: "pass" },
      [check("ok", "pass"), check("x", "pass-weak")],
    ],
    ["passed and vanished", { ok: "pass", x: "pass" }, [check("ok", "pass")]],
  ])("exits 1 if a check %s", (_case, before, checks) => {
    expect(gate(before, checks)).toMatchObject({
      exitCode: 1,
      because: "1 new failure since the baseline of 2026-02-01: listTransfers/x",
      baseline: { newFailures: ["listTransfers/x"] },
    });
  });

  it.each<[string, Record<string, Verdict>, CheckResult[], Partial<RunStarted>]>([
    [
      "was waived before and fails",
      { ok: "pass", x: "waived" },
      [check("ok", "pass"), check("x", "fail")],
      {},
    ],
    [
      "was as open before",
      { ok: "pass", x: "inconclusive" },
      [check("ok", "pass"), check("x", "inconclusive")],
      {},
    ],
    [
      "is now out of scope",
      { ok: "pass", x: "pass" },
      [check("ok", "pass"), check("x", "not-tested", { reason: "out-of-scope" })],
      {},
    ],
    [
      "was not selected",
      { ok: "pass", x: "pass" },
      [check("ok", "pass")],
      { selected: true, registered: ["listTransfers/ok", "listTransfers/x"] },
    ],
    [
      "only warns",
      { ok: "pass", x: "pass" },
      [check("ok", "pass"), check("x", "warn", { level: "SHOULD" })],
      {},
    ],
  ])("exits 0 if a check %s", (_case, before, checks, start) => {
    expect(gate(before, checks, start)).toMatchObject({ exitCode: 0, baseline: { newFailures: [] } });
  });

  it("says what was fixed, and is conformant once nothing is left", () => {
    const file = gate({ ok: "pass", old: "fail" }, [check("ok", "pass"), check("old", "pass")]);

    expect(file).toMatchObject({
      outcome: "conformant",
      exitCode: 0,
      baseline: { fixed: ["listTransfers/old"] },
    });
    expect(file.baseline && baselineLines(file.baseline)).toEqual([
      "Since the baseline earlier/verdicts.json of 2026-02-01: 0 new failures, 1 fixed, 0 known.",
      "  fixed: listTransfers/old",
    ]);
  });

  it("exits 4 if nothing passed, and with --strict if anything is open", () => {
    const open = check("x", "inconclusive");

    expect(gate({ x: "inconclusive" }, [open]).exitCode).toBe(4);
    expect(gate({ x: "fail" }, [check("x", "fail")]).exitCode).toBe(4);
    expect(
      gate({ ok: "pass", x: "inconclusive" }, [check("ok", "pass"), open], { strict: true }).exitCode,
    ).toBe(4);
  });

  it("keeps the exit codes of a broken and of an interrupted run", () => {
    const baseline = baselineOf({ ok: "pass" });
    const interrupted = runOf([check("ok", "pass")], { command: "gate", baseline }, [
      { type: "interrupted" },
    ]);

    expect(gate({ ok: "pass" }, [check("ok", "suite-error")]).exitCode).toBe(70);
    expect(interrupted.exitCode).toBe(130);
  });

  it("exits 5 if a waiver has expired, as without a baseline", () => {
    const waiver = { check: "listTransfers/old", reason: "known", owner: "Ada", expires: "2026-01-01" };
    const file = gate({ ok: "pass", old: "fail" }, [check("ok", "pass"), check("old", "fail")], {
      waivers: [waiver],
    });

    expect(file.exitCode).toBe(5);
  });
});

describe("readBaseline", () => {
  it("reads a verdicts.json or the folder of a run, and refuses anything else in one line", () => {
    const folder = mkdtempSync(join(tmpdir(), "baseline-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "verdicts.json");
    writeFileSync(path, JSON.stringify(runOf([check("ok", "pass")])));
    writeFileSync(join(folder, "other.json"), '{"schema":"payments-conformance/verdicts@1"}');

    expect(readBaseline(path).verdicts).toEqual({ "listTransfers/ok": "pass" });
    expect(readBaseline(folder).verdicts).toEqual({ "listTransfers/ok": "pass" });
    expect(() => readBaseline(join(folder, "missing.json"))).toThrow(/missing\.json cannot be read/);
    expect(() => readBaseline(join(folder, "other.json"))).toThrow(
      /is not a verdicts\.json of this version: .* at suite/,
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
      "  listTransfers/c: passed, now warning (no header)",
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
