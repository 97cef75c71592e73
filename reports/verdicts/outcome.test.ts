import { describe, expect, it } from "vitest";
import { exampleCheck } from "../testing/examples.ts";
import { decide, type Findings, harden, type Problem } from "./outcome.ts";
import type { CheckResult } from "./verdict.ts";

const passed = exampleCheck("pass");
const failed = exampleCheck("fail");
const broken = exampleCheck("suite-error", { message: "TypeError: x is undefined" });
const inconclusive = exampleCheck("inconclusive", { message: "the target is busy" });
const lacksData = exampleCheck("not-tested", { reason: "variable", variables: ["CUSTOMER_ID"] });
const emptyList = exampleCheck("not-tested", { reason: "empty-list" });
const outOfBudget = exampleCheck("not-tested", { reason: "budget" });
const spent = exampleCheck("not-tested", { reason: "spent" });
const outOfScope = exampleCheck("not-tested", { reason: "out-of-scope" });
const weakForData = exampleCheck("pass-weak", { variables: ["PAGE_ID"] });
const weak = exampleCheck("pass-weak");
const waived = exampleCheck("waived");
const should = (verdict: CheckResult["verdict"]) => exampleCheck(verdict, { level: "SHOULD" });
const rejected = exampleCheck("inconclusive", { level: "SHOULD", rejectedValidRequest: true });
const critical = exampleCheck("warn", { level: "SHOULD", critical: true });

const suite: Problem = { kind: "suite", text: "listTransfers/x: no result" };
const usage: Problem = { kind: "usage", text: "--select matches no check" };
const refused: Problem = { kind: "refused", text: "no key was accepted" };
const waiver: Problem = { kind: "waiver", text: "the waiver of a/b expired" };

type Differences = Partial<Findings> & { readonly hardened?: boolean };

function decided(checks: CheckResult[], { hardened = false, ...differences }: Differences = {}) {
  return decide({
    checks: hardened ? harden(checks) : checks,
    problems: [],
    interrupted: false,
    command: "certify",
    strict: false,
    selected: false,
    environment: "sandbox",
    ...differences,
  });
}

const gate = { command: "gate" } as const;
const strict = { ...gate, strict: true };
const selected = { selected: true };
const live = { environment: "live" } as const;
const mandate = { basis: "mandate" } as const;

describe("decide", () => {
  it.each<[string, CheckResult[], Differences, number, string]>([
    ["every MUST check passed", [passed], {}, 0, "conformant"],
    ["a SHOULD check warned", [passed, should("warn")], {}, 0, "conformant"],
    ["SHOULD checks are open", [passed, should("not-tested"), should("inconclusive")], {}, 0, "conformant"],
    ["a valid request was rejected", [passed, rejected], {}, 4, "not-fully-verified"],
    ["the gate's valid request was rejected", [passed, lacksData, rejected], gate, 4, "not-fully-verified"],
    ["a MUST check failed", [passed, failed], {}, 1, "non-conformant"],
    ["a MUST check is inconclusive", [passed, inconclusive], {}, 4, "not-fully-verified"],
    ["a MUST check lacks data", [passed, lacksData], {}, 4, "not-fully-verified"],
    ["a MUST check passes weakly", [passed, weak], {}, 4, "not-fully-verified"],
    ["a list is empty", [passed, emptyList], {}, 4, "not-fully-verified"],
    ["a MUST check is out of scope", [passed, outOfScope], {}, 0, "conformant"],
    ["a failure is waived", [passed, waived], {}, 0, "not-fully-verified"],

    ["the gate lacks data", [passed, lacksData], gate, 0, "not-fully-verified"],
    ["the gate finds an empty list", [passed, emptyList], gate, 0, "not-fully-verified"],
    ["the gate passes weakly because data is missing", [passed, weakForData], gate, 0, "not-fully-verified"],
    ["the gate passes weakly for another reason", [passed, weak], gate, 4, "not-fully-verified"],
    ["the gate is inconclusive", [passed, inconclusive], gate, 4, "not-fully-verified"],
    ["the gate ran out of budget", [passed, outOfBudget], gate, 4, "not-fully-verified"],
    ["the gate's data is used up", [passed, spent], gate, 4, "not-fully-verified"],
    [
      "the gate lacks data and is inconclusive",
      [passed, lacksData, inconclusive],
      gate,
      4,
      "not-fully-verified",
    ],
    ["a strict gate lacks data", [passed, lacksData], strict, 4, "not-fully-verified"],
    ["a strict gate finds an empty list", [passed, emptyList], strict, 4, "not-fully-verified"],
    ["a strict gate leaves something out of scope", [passed, outOfScope], strict, 0, "conformant"],
    ["the gate finds a failure", [passed, lacksData, failed], gate, 1, "non-conformant"],

    ["nothing was checked", [], {}, 4, "not-fully-verified"],
    ["the gate checked nothing", [lacksData], gate, 4, "not-fully-verified"],
    ["only SHOULD checks passed", [should("pass")], {}, 4, "not-fully-verified"],
    ["everything is out of scope", [outOfScope], gate, 4, "not-fully-verified"],
    ["all failures are waived and nothing passed", [waived], {}, 4, "not-fully-verified"],

    ["the selected checks passed", [passed], selected, 0, "not-fully-verified"],
    ["a selected SHOULD check passed", [should("pass")], selected, 0, "not-fully-verified"],
    ["a selected check failed", [passed, failed], selected, 1, "non-conformant"],
    ["a selected check lacks data", [passed, lacksData], selected, 4, "not-fully-verified"],
    ["no selected check reached a verdict", [should("not-tested")], selected, 4, "not-fully-verified"],
    ["the gate's selected check lacks data", [lacksData], { ...selected, ...gate }, 4, "not-fully-verified"],
    ["the gate's selection is empty", [], { ...selected, ...gate }, 4, "not-fully-verified"],

    ["a critical check warned", [passed, critical], {}, 0, "conformant"],
    ["a critical check warned, hardened", [passed, critical], { hardened: true }, 1, "non-conformant"],
    ["a SHOULD check warned, hardened", [passed, should("warn")], { hardened: true }, 0, "conformant"],

    ["the live host rejects the test key", [{ ...passed, ...mandate }, lacksData], live, 0, "conformant"],
    ["the live host accepts the test key", [{ ...failed, ...mandate }], live, 1, "non-conformant"],
    ["only other checks failed on the live host", [{ ...passed, ...mandate }, failed], live, 0, "conformant"],
    ["the live host is inconclusive", [{ ...inconclusive, ...mandate }], live, 4, "not-fully-verified"],
    ["the live host was not tested", [passed], live, 4, "not-fully-verified"],
  ])("decides the exit code and the outcome when %s", (_case, checks, differences, exitCode, outcome) => {
    expect(decided(checks, differences)).toMatchObject({ exitCode, outcome });
  });

  it.each<[number, CheckResult[], Problem[], boolean]>([
    [70, [broken, failed, inconclusive], [usage, refused, waiver], true],
    [70, [passed], [suite, usage, refused, waiver], true],
    [130, [failed, inconclusive], [usage, refused, waiver], true],
    [2, [failed, inconclusive], [usage, refused, waiver], false],
    [3, [failed, inconclusive], [refused, waiver], false],
    [1, [failed, inconclusive], [waiver], false],
    [5, [passed, inconclusive], [waiver], false],
    [5, [passed], [waiver], false],
    [4, [passed, inconclusive], [], false],
  ])("gives exit code %i precedence over those below it", (exitCode, checks, problems, interrupted) => {
    expect(decided(checks, { problems, interrupted }).exitCode).toBe(exitCode);
  });

  it.each<[string, CheckResult[], Differences]>([
    ["1 MUST check and 1 critical SHOULD check (--hardened) failed", [failed, critical], { hardened: true }],
    ["2 MUST checks are open: 1 inconclusive, 1 not tested", [passed, inconclusive, lacksData], {}],
    [
      "no MUST check failed; 1 is open because a variable is not set or a list is empty",
      [passed, lacksData],
      gate,
    ],
    [
      "the API rejected a valid request, which leaves listTransfers/inconclusive open",
      [passed, rejected],
      {},
    ],
    ["every failure is waived: listTransfers/waived", [passed, waived], {}],
    ["the selected checks passed; the others were not run", [passed], selected],
    ["no selected check reached a verdict, so nothing is proven", [lacksData], selected],
    [
      "the run was interrupted; 1 check did not start",
      [exampleCheck("not-tested", { reason: "interrupted" })],
      { interrupted: true },
    ],
    ["no MUST check passed, so nothing is proven", [lacksData], gate],
  ])("explains: %s", (because, checks, differences) => {
    expect(decided(checks, differences).because).toBe(because);
  });
});
