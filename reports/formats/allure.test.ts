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

/** Allure's patterns are those of Java, where `(?s)` lets a dot match a line break, and match whole messages. */
const inJava = (pattern: string) => new RegExp(`^${pattern.replace("(?s)", "")}$`, "s");

it.each([
  ["fail", "failed", "lists transfers", "The API violates the contract"],
  ["critical", "failed", "[critical finding] lists transfers", "Critical finding"],
  ["suite-error", "broken", "lists transfers", "The suite itself broke"],
  ["warn", "passed", "[warned] lists transfers", "Warned"],
  ["pass-weak", "passed", "[passed without proof] lists transfers", "Passed without proof"],
  ["waived", "skipped", "[waived] lists transfers", "Waived"],
  ["not-tested", "skipped", "[not tested] lists transfers", "Not tested"],
  ["inconclusive", "unknown", "[inconclusive] lists transfers", "Inconclusive"],
] as const)("shows the verdict %s, and puts it into one category", (state, status, name, category) => {
  const critical = state === "critical" && ({ level: "SHOULD", critical: true } as const);
  const verdict = state === "critical" ? "fail" : state;
  const check = exampleCheck(verdict, { message: "one\nof two lines", ...critical });
  const result = allureResult(check, [], START);
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
