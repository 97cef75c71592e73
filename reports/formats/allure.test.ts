import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { allureDescription, allureResult, CATEGORIES, writeAllureResults } from "./allure.ts";

const START = "2026-03-01T10:00:00.000Z";

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "run-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Writes the results of a run; returns the content of each file by its name. */
function written(checks: readonly CheckResult[], directory = folder()) {
  writeAllureResults(directory, buildVerdicts(exampleRun(checks)));
  const path = join(directory, "allure-results");
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

const resultsIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([name, text]) => (name.endsWith("-result.json") ? [JSON.parse(text)] : []));

describe("a result of Allure", () => {
  it("is found by operation, topic and title, and names neither a file nor a machine", () => {
    const check = exampleCheck("pass", { id: "createTransfer/idempotency/x", operation: "createTransfer" });
    const result = allureResult(check, START);

    expect(result).toMatchObject({
      name: "lists transfers",
      fullName: check.id,
      titlePath: ["createTransfer", "idempotency"],
      status: "passed",
      start: Date.parse(START),
      stop: Date.parse(START) + 12,
    });
    const labels = new Map(result.labels.map(({ name, value }) => [name, value]));
    expect([labels.get("parentSuite"), labels.get("suite")]).toEqual(["createTransfer", "idempotency"]);
    expect([labels.get("feature"), labels.get("story")]).toEqual(["createTransfer", "idempotency"]);
    expect([...labels.keys()].filter((name) => /thread|host|framework|language/.test(name))).toEqual([]);
    expect(JSON.stringify(result)).not.toMatch(/vitest|\.ts\b/);
  });

  it.each([
    ["getProfile/accepted", "basics"],
    ["getProfile/other-merchant", "ownership"],
    ["getProfile/auth/no-header", "authentication"],
    ["createTransfer/amount/missing", "fields"],
  ])("has a topic: %s", (id, topic) => {
    expect(allureResult(exampleCheck("pass", { id }), START).titlePath?.[1]).toBe(topic);
  });

  it.each([
    ["MUST", {}, "critical"],
    ["SHOULD", { critical: true }, "normal"],
    ["SHOULD", {}, "minor"],
    ["OBSERVE", {}, "trivial"],
  ] as const)("takes its severity from the level: %s %j", (level, more, severity) => {
    const { labels } = allureResult(exampleCheck("pass", { level, ...more }), START);

    expect(labels).toContainEqual({ name: "severity", value: severity });
  });

  it.each([
    ["fail", "failed", "lists transfers", "The API violates the contract"],
    ["suite-error", "broken", "lists transfers", "The suite itself broke"],
    ["warn", "passed", "[warned] lists transfers", "Warned"],
    ["pass-weak", "passed", "[passed without proof] lists transfers", "Passed without proof"],
    ["waived", "skipped", "[waived] lists transfers", "Waived"],
    ["not-tested", "skipped", "[not tested] lists transfers", "Not tested"],
    ["inconclusive", "unknown", "[inconclusive] lists transfers", "Inconclusive"],
  ] as const)("shows the verdict %s", (verdict, status, name, category) => {
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
});

/** Allure's patterns are those of Java, where `(?s)` lets a dot match a line break, and match whole messages. */
const inJava = (pattern: string) => new RegExp(`^${pattern.replace("(?s)", "")}$`, "s");

describe("writeAllureResults", () => {
  it("attaches the commands and the exchanges of a finding, each exchange once", () => {
    const directory = folder();
    mkdirSync(join(directory, "exchanges"));
    writeFileSync(join(directory, "exchanges/1.json"), "{}");
    const steps = [exampleStep(), exampleStep(), exampleStep({ exchange: "exchanges/gone.json" })];

    const files = written([exampleCheck("fail", { steps }), exampleCheck("pass")], directory);
    const [one, other] = resultsIn(files).toSorted(
      (a, b) => a.name.localeCompare(b.name) || b.attachments.length - a.attachments.length,
    );

    expect(one.attachments.map(({ name }: { name: string }) => name)).toEqual([
      "Commands that repeat it",
      "Exchange 1",
    ]);
    expect(one.attachments.map(({ source }: { source: string }) => files.has(source))).toEqual([true, true]);
    expect(files.get(one.attachments[0].source)).toContain(exampleStep().curl);
    expect(other.attachments).toEqual([]);
  });

  it("says what was tested, and replaces what it wrote before", () => {
    const directory = folder();
    const first = written([exampleCheck("pass"), exampleCheck("warn")], directory);
    const again = written([exampleCheck("pass")], directory);

    expect(resultsIn(first)).toHaveLength(2);
    expect(resultsIn(again)).toHaveLength(1);
    expect(resultsIn(first)).toContainEqual(resultsIn(again)[0]);
    expect(again.get("environment.properties")?.split("\n").slice(0, 3)).toEqual([
      "Target = staging",
      "Version = 2.4",
      "Environment = sandbox",
    ]);
    expect(JSON.parse(again.get("categories.json") ?? "")).toEqual(CATEGORIES);
  });
});

describe("allureDescription", () => {
  it("says what the check demands, what it found, and which rules it rests on", () => {
    const message = "GET …/get-transfer-list returned 500";

    expect(allureDescription(exampleCheck("fail", { message, source: "RFC 9110" }))).toBe(
      [
        "Checks that the API lists transfers.",
        message,
        "Rules:\n\n- R054 (section 4.8): GET transfer/get-transfer-list lists transfers.\n- RFC 9110: HTTP Semantics",
        "Check: listTransfers/fail",
      ].join("\n\n"),
    );
  });

  it("keeps the words of a target from becoming markup", () => {
    expect(allureDescription(exampleCheck("fail", { message: "<b>[x](y)</b>\n# `z`" }))).toContain(
      "\\<b\\>\\[x\\](y)\\</b\\>\\\\n\\# \\`z\\`",
    );
  });
});
