import { describe, expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { all, readXml } from "../testing/xml-reader.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { renderJunit } from "./junit.ts";

function junitOf(checks: readonly CheckResult[], ...others: RunEvent[]) {
  return readXml(renderJunit(buildVerdicts([...exampleRun(checks), ...others])));
}

function only(check: CheckResult) {
  const [testcase] = all(junitOf([check]), "testcase");
  if (!testcase) throw new Error("no case");
  return testcase;
}

describe("junit.xml", () => {
  it("has a suite for each operation, with the number of its cases", () => {
    const xml = junitOf([
      exampleCheck("pass"),
      exampleCheck("fail"),
      exampleCheck("not-tested"),
      exampleCheck("inconclusive"),
      exampleCheck("pass", { id: "getProfile/accepted", operation: "getProfile", durationMs: 1500 }),
    ]);

    expect(xml.attributes).toEqual({
      name: "payments-conformance",
      tests: "5",
      failures: "1",
      errors: "0",
      skipped: "2",
      time: "1.548",
    });
    expect(all(xml, "testsuite").map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({ name: "getProfile", tests: "1", failures: "0", skipped: "0", time: "1.500" }),
      expect.objectContaining({
        name: "listTransfers",
        tests: "4",
        failures: "1",
        skipped: "2",
        time: "0.048",
      }),
    ]);
  });

  it("names a check by operation, id and title, with its level and requirements", () => {
    const testcase = only(
      exampleCheck("pass", { id: "listTransfers/accepted", requirements: ["R054", "R058"] }),
    );

    expect(testcase.attributes).toEqual({
      classname: "listTransfers",
      name: "listTransfers/accepted: lists transfers",
      time: "0.012",
    });
    expect(all(testcase, "property").map(({ attributes }) => attributes)).toEqual([
      { name: "level", value: "MUST" },
      { name: "verdict", value: "pass" },
      { name: "requirements", value: "R054,R058" },
    ]);
  });

  it("shows what the API did, what was expected, the rules, the response, the evidence and the command", () => {
    const [failure] = all(
      only(
        exampleCheck("fail", {
          message: "GET …/get-transfer-list returned 500; expected 200 (R054, section 4.8: ...)",
          actual: "returned 500",
          expected: "200",
          body: '{"error":"down"}',
          requirements: ["R054", "R087"],
          exchanges: ["evidence/1.json"],
          curl: "curl -sS -i 'http://127.0.0.1/?a=1&b=2'",
        }),
      ),
      "failure",
    );

    expect(failure?.attributes).toEqual({
      message: "GET …/get-transfer-list returned 500; expected 200 (R054, section 4.8: ...)",
      type: "MUST",
    });
    expect(failure?.text.split("\n")).toEqual([
      "actual: returned 500",
      "expected: 200",
      "required by R054 (section 4.8): GET transfer/get-transfer-list lists transfers.",
      "required by R087 (section 4.16): A repeated transferReference never causes a second payout.",
      'response: {"error":"down"}',
      "evidence: evidence/1.json",
      "curl -sS -i 'http://127.0.0.1/?a=1&b=2'",
    ]);
  });

  it.each([
    [exampleCheck("not-tested", { reason: "variable", variables: ["PAGE_ID"] }), "not-tested: set PAGE_ID"],
    [
      exampleCheck("not-tested", { reason: "budget" }),
      "not-tested: the payout budget or the time limit is used up",
    ],
    [exampleCheck("inconclusive", { message: "the target is busy" }), "inconclusive: the target is busy"],
    [exampleCheck("waived", { message: "returned 500" }), "waived: returned 500"],
  ])("skips a check that is open or waived, with the reason (%#)", (check, message) => {
    expect(all(only(check), "skipped").map(({ attributes }) => attributes)).toEqual([{ message }]);
  });

  it("reports a fault of the suite as an error, not as a failure", () => {
    const testcase = only(exampleCheck("suite-error", { message: "TypeError: x is undefined" }));

    expect(all(testcase, "failure")).toEqual([]);
    expect(all(testcase, "error").map(({ attributes }) => attributes)).toEqual([
      { message: "TypeError: x is undefined", type: "suite-error" },
    ]);
  });

  it("prints a warning with its rules and lets the case pass", () => {
    const warned = exampleCheck("warn", {
      level: "SHOULD",
      message: "sent no Cache-Control",
      requirements: [],
      source: "RFC 9111",
    });
    const testcase = only(warned);

    expect(all(testcase, "system-out").map((element) => element.text.split("\n"))).toEqual([
      ["warn: sent no Cache-Control", "based on RFC 9111: HTTP Caching"],
    ]);
    expect([...all(testcase, "failure"), ...all(testcase, "skipped")]).toEqual([]);
  });

  it("reports every problem as an error, so that a run that never started is not green", () => {
    const xml = junitOf([], { type: "problem", kind: "refused", text: "no key was accepted" });

    expect(xml.attributes).toMatchObject({ tests: "1", errors: "1" });
    expect(all(xml, "error").map(({ attributes }) => attributes.message)).toEqual(["no key was accepted"]);
  });

  it("stays well formed whatever the target returns", () => {
    const hostile = "<&>\"' ]]> \u0000\u0007\u001b[31m\ud800\ufffe &amp; 😀 Ọláìtán";
    const [failure] = all(only(exampleCheck("fail", { message: hostile, actual: hostile })), "failure");

    expect(failure?.attributes.message).toBe(
      "<&>\"' ]]> \\u0000\\u0007\\u001b[31m\\ud800\\ufffe &amp; 😀 Ọláìtán",
    );
    expect(failure?.text).toContain("\\u001b[31m");
  });
});

describe("readXml", () => {
  it.each(["<a><b></a></b>", "<a>", "<a/><b/>", '<a x="1" x="2"/>', "<a>&</a>", "<a>\u0001</a>", "<a x=1/>"])(
    "rejects %s",
    (xml) => {
      expect(() => readXml(xml)).toThrow();
    },
  );
});
