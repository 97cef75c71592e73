import { expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { answersOf } from "./answers.ts";
import type { RunStarted } from "./run.ts";
import type { CheckResult } from "./verdict.ts";

const needs = (name: string, variable: string) =>
  exampleCheck("not-tested", { id: `listTransfers/${name}`, reason: "variable", variables: [variable] });

function answersTo(checks: readonly CheckResult[], start: Partial<RunStarted> = {}) {
  const traffic = { requests: 3000, serverErrors: 7, timeouts: 0 };
  const file = buildVerdicts([...exampleRun(checks, start), { type: "traffic", traffic }]);
  return Object.fromEntries(answersOf(file));
}

it("says what blocks a release, how often the server failed, what was not tested and what was excluded", () => {
  const excluded = exampleCheck("not-tested", { id: "getDispute/x", reason: "out-of-scope" });

  const answers = answersTo(
    [
      exampleCheck("fail"),
      needs("other-merchant", "SECOND_SECRET_KEY"),
      needs("merchants-are-apart", "SECOND_SECRET_KEY"),
      needs("auth/revoked", "REVOKED_KEY"),
      excluded,
    ],
    { outOfScope: ["getDispute"] },
  );

  expect(answers).toEqual({
    Release: "Blocked until every failure is fixed or waived.",
    "Server errors": "7 server errors in 3,000 requests (10/s on average)",
    Warnings: "None.",
    "Not proved": expect.stringMatching(/^114 of 114 requirements \(1 violated, 8 that no test/),
    "Not tested": "SECOND_SECRET_KEY: 2 checks on ownership; REVOKED_KEY: 1 check on authentication.",
    "Out of scope": "getDispute (1 check)",
  });
});

it.each<[string, readonly CheckResult[], Partial<RunStarted>]>([
  ["Nothing that this run tested blocks it.", [exampleCheck("pass")], {}],
  [
    "This run does not block it, but does not prove conformance either.",
    [exampleCheck("pass"), needs("a", "PLAN_ID")],
    { command: "gate" },
  ],
  ["Not decided until what is open has been tested.", [exampleCheck("pass"), needs("a", "PLAN_ID")], {}],
])("says of a release: %s", (release, checks, start) => {
  expect(answersTo(checks, start).Release).toBe(release);
});

it("does not repeat under --hardened which warnings would fail", () => {
  const mild = exampleCheck("warn", { level: "SHOULD" });

  expect(answersTo([mild], { hardened: true }).Warnings).toBe(
    "1 warning, which does not block a release; --hardened has turned the critical ones into failures.",
  );
});
