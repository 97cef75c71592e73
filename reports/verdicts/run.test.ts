import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { readBaseline } from "./run.ts";

it("reads a baseline from a verdicts.json or the folder of a run, and refuses anything else in one line", () => {
  const folder = temporaryFolder();
  const path = join(folder, "verdicts.json");
  const run = buildVerdicts(exampleRun([exampleCheck("pass", { id: "listTransfers/ok" })]));
  writeFileSync(path, JSON.stringify(run));
  writeFileSync(join(folder, "other.json"), '{"schema":"payments-conformance/verdicts@1"}');

  expect(readBaseline(path).found).toEqual({ "listTransfers/ok": "pass" });
  expect(readBaseline(folder).found).toEqual({ "listTransfers/ok": "pass" });
  expect(() => readBaseline(join(folder, "missing.json"))).toThrow(/missing\.json cannot be read/);
  expect(() => readBaseline(join(folder, "other.json"))).toThrow(/other\.json at suite: .* of this version$/);
});
