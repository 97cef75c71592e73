import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStart } from "../testing/examples.ts";
import type { RunStarted } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { appendJobSummary, forJobLog } from "./github.ts";
import { renderSummary } from "./summary.ts";

const fileOf = (checks: readonly CheckResult[], start: Partial<RunStarted> = {}) =>
  buildVerdicts(exampleRun(checks, start));

const HOSTILE = "x\n::error::stolen\n`` @everyone https://evil.example <img src=x> [a](b) | 100%";

const FAILED = exampleCheck("fail", { actual: HOSTILE, expected: "200", curl: "curl 'http://127.0.0.1/'" });

describe("summary.md", () => {
  it("says the outcome, each failure with its rule and command, and what would settle the rest", () => {
    const summary = renderSummary(
      fileOf([
        exampleCheck("pass"),
        exampleCheck("fail", { actual: "returned 500", expected: "200", curl: "curl 'http://127.0.0.1/'" }),
        exampleCheck("not-tested", { reason: "variable", variables: ["PLAN_ID"] }),
      ]),
    );

    expect(summary).toMatch(/^# Not conformant: `staging 2\.4`\n\n`1 MUST check failed` \(exit code 1\)/);
    for (const line of [
      "Left undecided: 1 check not tested.",
      "- **Release:** `Blocked until every failure is fixed or waived.`",
      "- **Not tested:** `PLAN_ID: 1 check on basics.`",
      "**`listTransfers/fail`**, which checks that the API `lists transfers`",
      "actual: `returned 500`",
      "expected: `200`",
      "required by `R054 (section 4.8): GET transfer/get-transfer-list lists transfers.`",
      "`curl 'http://127.0.0.1/'`",
      "- `set PLAN_ID`: 1 check on basics",
      "| listTransfers | 1 | 1 | 0 | 1 |",
    ]) {
      expect(summary).toContain(line);
    }
  });

  it("names what is out of scope, and says Demonstration on the embedded sandbox", () => {
    const scoped = renderSummary(fileOf([exampleCheck("pass")], { outOfScope: ["getProfile"] }));
    const target = { ...exampleStart().target, embedded: true };

    expect(scoped).toMatch(
      /^# Conformant for 19 of 20 operations: .*\n\n`every MUST check passed \(1\); out of scope: getProfile`/,
    );
    expect(renderSummary(fileOf([exampleCheck("pass")], { target }))).toContain("**Demonstration:**");
  });

  it("shows everything from the target as code, which no text can end", () => {
    const summary = renderSummary(fileOf([FAILED]));
    const [line = ""] = summary.split("\n").filter((one) => one.includes("stolen"));

    expect(line).toMatch(/^ {2}actual: (`{3})x\\n::error::stolen\\n`` @everyone .* 100%\1<br>$/);
    expect(summary.split("\n").filter((one) => one.startsWith("::"))).toEqual([]);
  });

  it("stays short however much failed", () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      exampleCheck("fail", { id: `listTransfers/${index}` }),
    );

    const summary = renderSummary(fileOf(many));

    expect(summary).toContain("- and 1980 more");
    expect(summary.length).toBeLessThan(20_000);
  });
});

describe("forJobLog", () => {
  const github = { GITHUB_ACTIONS: "true" };

  it("changes nothing outside GitHub", () => {
    expect(forJobLog("result\n", fileOf([FAILED]), {})).toBe("result\n");
  });

  it("stops workflow commands while it prints the result, and annotates failures and warnings", () => {
    const file = fileOf([
      FAILED,
      exampleCheck("warn", { level: "SHOULD", message: "sent no Cache-Control" }),
    ]);

    expect(forJobLog("::error::from the target\n", file, github, "token").split("\n")).toEqual([
      "::stop-commands::token",
      "::error::from the target",
      "::token::",
      expect.stringMatching(
        /^::error title=listTransfers\/fail::x\\n::error::stolen\\n.* 100%25; expected 200$/,
      ),
      "::warning title=listTransfers/warn::sent no Cache-Control",
      "",
    ]);
  });

  it("keeps a title from setting another property", () => {
    const file = fileOf([exampleCheck("fail", { id: "a,file=b::c" })]);

    expect(forJobLog("", file, github, "token")).toContain(
      "::error title=a%2Cfile=b%3A%3Cc::".replace("%3C", "%3A"),
    );
  });

  it("annotates a run that is not fully verified, and at most ten failures", () => {
    const open = fileOf([exampleCheck("pass"), exampleCheck("inconclusive")]);
    const many = fileOf(
      Array.from({ length: 30 }, (_, index) => exampleCheck("fail", { id: `listTransfers/${index}` })),
    );
    const errors = forJobLog("", many, github, "t").match(/^::error .*/gm) ?? [];

    expect(forJobLog("", open, github, "t")).toContain(
      "::error title=Not fully verified::1 MUST check is open: 1 inconclusive",
    );
    expect([errors.length, errors.at(-1)]).toEqual([
      10,
      "::error title=payments-conformance::21 more: see report.html",
    ]);
  });
});

describe("appendJobSummary", () => {
  it("appends to the file that GitHub names, and says what prevented it", () => {
    const directory = mkdtempSync(join(tmpdir(), "summary-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = join(directory, "summary.md");

    expect([
      appendJobSummary("# one", { GITHUB_STEP_SUMMARY: path }),
      appendJobSummary("# two", { GITHUB_STEP_SUMMARY: path }),
    ]).toEqual([undefined, undefined]);
    expect(readFileSync(path, "utf8")).toBe("# one\n# two\n");
    expect(appendJobSummary("# one", {})).toBeUndefined();
    expect(appendJobSummary("# one", { GITHUB_STEP_SUMMARY: directory })).toMatch(
      /^GITHUB_STEP_SUMMARY: the summary cannot/,
    );
  });
});
