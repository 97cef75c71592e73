import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { allureResult, CATEGORIES, writeAllureResults } from "./allure.ts";

const START = "2026-03-01T10:00:00.000Z";

/** Writes the results of a run; returns the content of each file by its name. */
function written(checks: readonly CheckResult[], directory = temporaryFolder()) {
  writeAllureResults(directory, buildVerdicts(exampleRun(checks)));
  const path = join(directory, "allure-results");
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

const resultsIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([name, text]) => (name.endsWith("-result.json") ? [JSON.parse(text)] : []));

it("finds a result by operation, topic and title, and names neither a file nor a machine", () => {
  const message = "GET …/get-transfer-list returned <b>[500](x)</b>\n# `z`";
  const check = exampleCheck("fail", {
    id: "createTransfer/idempotency/x",
    operation: "createTransfer",
    message,
    source: "RFC 9110",
  });

  const { historyId, testCaseId, ...result } = allureResult(check, START);

  expect(testCaseId).toBe(historyId);
  expect(result).toEqual({
    name: "lists transfers",
    fullName: check.id,
    titlePath: ["createTransfer", "idempotency"],
    status: "failed",
    stage: "finished",
    statusDetails: { message },
    description: [
      "Checks that the API lists transfers.",
      "GET …/get-transfer-list returned \\<b\\>\\[500\\](x)\\</b\\>\\\\n\\# \\`z\\`",
      "Rules:\n\n- R054 (section 4.8): GET transfer/get-transfer-list lists transfers.\n- RFC 9110: HTTP Semantics",
      "Check: createTransfer/idempotency/x",
    ].join("\n\n"),
    labels: Object.entries({
      parentSuite: "createTransfer",
      suite: "idempotency",
      feature: "createTransfer",
      story: "idempotency",
      package: "createTransfer.idempotency",
      severity: "critical",
      verdict: "fail",
    })
      .concat([
        ["tag", "MUST"],
        ["tag", "fail"],
        ["tag", "R054"],
      ])
      .map(([name, value]) => ({ name, value })),
    links: [],
    parameters: [],
    steps: [],
    start: Date.parse(START),
    stop: Date.parse(START) + 12,
  });
});

it.each([
  ["SHOULD", { critical: true }, "normal"],
  ["SHOULD", {}, "minor"],
  ["OBSERVE", {}, "trivial"],
] as const)("takes its severity from the level: %s %j", (level, more, severity) => {
  const { labels } = allureResult(exampleCheck("pass", { level, ...more }), START);

  expect(labels).toContainEqual({ name: "severity", value: severity });
});

/** Allure's patterns are those of Java, where `(?s)` lets a dot match a line break, and match whole messages. */
const inJava = (pattern: string) => new RegExp(`^${pattern.replace("(?s)", "")}$`, "s");

it.each([
  ["fail", "failed", "lists transfers", "The API violates the contract"],
  ["suite-error", "broken", "lists transfers", "The suite itself broke"],
  ["warn", "passed", "[warned] lists transfers", "Warned"],
  ["pass-weak", "passed", "[passed without proof] lists transfers", "Passed without proof"],
  ["waived", "skipped", "[waived] lists transfers", "Waived"],
  ["not-tested", "skipped", "[not tested] lists transfers", "Not tested"],
  ["inconclusive", "unknown", "[inconclusive] lists transfers", "Inconclusive"],
] as const)("shows the verdict %s, and puts it into one category", (verdict, status, name, category) => {
  const result = allureResult(exampleCheck(verdict, { message: "one\nof two lines" }), START);
  const { message = "" } = result.statusDetails;
  const matching = CATEGORIES.filter(
    ({ matchedStatuses, ...rule }) =>
      matchedStatuses.includes(result.status) &&
      (!("messageRegex" in rule) || inJava(rule.messageRegex).test(message)),
  );

  expect([result.status, result.name]).toEqual([status, name]);
  expect(matching.map((one) => one.name)).toEqual([category]);
});

it("attaches the commands and the exchanges of a finding, each exchange once", () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "exchanges"));
  writeFileSync(join(directory, "exchanges/1.json"), "{}");
  const steps = [exampleStep(), exampleStep(), exampleStep({ exchange: "exchanges/gone.json" })];

  const files = written([exampleCheck("fail", { steps })], directory);
  const [{ attachments }] = resultsIn(files);

  expect(attachments).toMatchObject([{ name: "Commands that repeat it" }, { name: "Exchange 1" }]);
  expect(files.get(attachments[0].source)).toContain(exampleStep().curl);
  expect(files.get(attachments[1].source)).toBe("{}");
});

it("says what was tested, and replaces what it wrote before", () => {
  const directory = temporaryFolder();
  const first = written([exampleCheck("pass"), exampleCheck("warn")], directory);
  const again = written([exampleCheck("pass")], directory);

  expect([resultsIn(first).length, resultsIn(again).length]).toEqual([2, 1]);
  expect(resultsIn(first)).toContainEqual(resultsIn(again)[0]);
  expect(again.get("environment.properties")).toBe(
    "Target = staging\nVersion = 2.4\nEnvironment = sandbox\nSuite = 0.1.0\nSeed = 7\n",
  );
  expect(JSON.parse(again.get("categories.json") ?? "")).toEqual(CATEGORIES);
});
