import { expect, it } from "vitest";
import { buildVerdicts } from "./build-verdicts.ts";
import { exampleCheck, exampleRun, exampleStart } from "./testing/examples.ts";

const passed = exampleCheck("pass");
const failed = exampleCheck("fail");

it("builds the same file in whatever order the checks ended", () => {
  const first = exampleCheck("pass", { id: "getProfile/accepted", operation: "getProfile" });
  const checks = [failed, passed, first];

  const file = buildVerdicts(exampleRun(checks));

  expect(file.checks.map((check) => check.id)).toEqual([first.id, failed.id, passed.id]);
  expect(buildVerdicts(exampleRun(checks.toReversed()))).toEqual(file);
});

it("calls a run without an end killed, unless the operator interrupted it", () => {
  const cut = exampleRun([passed]).slice(0, -1);

  expect(buildVerdicts(cut)).toMatchObject({
    outcome: "error",
    exitCode: 70,
    problems: ["the run was killed before its last check"],
  });
  expect(buildVerdicts([...cut, { type: "interrupted" }])).toMatchObject({ exitCode: 130 });
});

it("reports a check with two results as a fault of the suite", () => {
  expect(buildVerdicts(exampleRun([passed, passed]))).toMatchObject({
    exitCode: 70,
    problems: [`${passed.id} was reported twice`],
    checks: [passed],
  });
});

it("keeps an observation once, however often it was recorded", () => {
  const observation = { item: "N33", operation: "listTransfers", text: "A 401 is JSON." } as const;
  const seen = { type: "observation", observation } as const;

  expect(buildVerdicts([exampleStart(), seen, seen]).observations).toEqual([observation]);
});
