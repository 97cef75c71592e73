import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import { writeAllureResults } from "./allure.ts";

it("attaches the commands and the exchanges of a finding, each exchange once", () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "exchanges"));
  writeFileSync(join(directory, "exchanges/1.json"), "{}");
  const steps = [exampleStep(), exampleStep(), exampleStep({ exchange: "exchanges/gone.json" })];

  writeAllureResults(directory, buildVerdicts(exampleRun([exampleCheck("fail", { steps })])));

  const read = (name: string) => readFileSync(join(directory, "allure-results", name), "utf8");
  const [name = ""] = readdirSync(join(directory, "allure-results")).filter((one) =>
    /result.json$/.test(one),
  );
  const { attachments } = JSON.parse(read(name));
  expect(attachments).toMatchObject([{ name: "Commands that repeat it" }, { name: "Exchange 1" }]);
  expect(read(attachments[0].source)).toContain(exampleStep().curl);
  expect(read(attachments[1].source)).toBe("{}");
});
