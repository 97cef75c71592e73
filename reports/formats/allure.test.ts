import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { allureResult, writeAllureResults } from "./allure.ts";

const START = "2026-03-01T10:00:00.000Z";

/** Writes the results of a run; returns the content of each file by its name. */
function written(checks: readonly CheckResult[], directory = temporaryFolder()) {
  writeAllureResults(directory, buildVerdicts(exampleRun(checks)));
  const path = join(directory, "allure-results");
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

const resultsIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([name, text]) => (name.endsWith("-result.json") ? [JSON.parse(text)] : []));

it.each([
  ["suite-error", "broken", "lists transfers"],
  ["waived", "skipped", "[waived] lists transfers"],
] as const)("shows the verdict %s", (verdict, status, name) => {
  expect(allureResult(exampleCheck(verdict), [], START)).toMatchObject({ status, name });
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
