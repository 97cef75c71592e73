import { describe, expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import { all, type Element, readXml } from "../testing/xml-reader.ts";
import { type CheckResult, Verdict } from "../verdicts/verdict.ts";
import { renderChecksJunit } from "./junit.ts";

function junitOf(checks: readonly CheckResult[], ...others: RunEvent[]) {
  return readXml(renderChecksJunit(buildVerdicts([...exampleRun(checks), ...others])));
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

  it("names a check by its operation and title, and says in the output how it is called elsewhere", () => {
    const testcase = only(
      exampleCheck("pass", { id: "listTransfers/accepted", requirements: ["R054", "R058"] }),
    );

    expect(testcase.attributes).toEqual({
      classname: "listTransfers",
      name: "lists transfers",
      time: "0.012",
    });
    expect(all(testcase, "system-out").map(({ text }) => text)).toEqual([
      "check: listTransfers/accepted (MUST; R054, R058)",
    ]);
  });

  it("gives every case of a suite a name of its own", () => {
    const xml = junitOf([
      exampleCheck("pass", { id: "listTransfers/a" }),
      exampleCheck("pass", { id: "listTransfers/b" }),
      exampleCheck("pass", { id: "getProfile/a", operation: "getProfile" }),
    ]);

    expect(all(xml, "testcase").map(({ attributes }) => attributes.name)).toEqual([
      "lists transfers",
      "lists transfers (listTransfers/a)",
      "lists transfers (listTransfers/b)",
    ]);
  });

  it("has only the elements and attributes that Jenkins and GitLab know, whatever was found", () => {
    const step = exampleStep();
    const every = Verdict.options.map((verdict) =>
      exampleCheck(verdict, { message: "m", actual: "a", expected: "e", body: "b", steps: [step] }),
    );

    const xml = junitOf(every, { type: "problem", kind: "suite", text: "broke" });

    expect(strangersIn({ name: "", attributes: {}, children: [xml], text: "" })).toEqual([]);
    expect(all(xml, "testcase")).toHaveLength(Verdict.options.length + 1);
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
      "check: listTransfers/fail (MUST; R054, R087)",
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
    [exampleCheck("not-tested", { reason: "variable", variables: ["PAGE_ID"] }), "not tested: set PAGE_ID"],
    [
      exampleCheck("not-tested", { reason: "budget" }),
      "not tested: the payout budget or the time limit is used up",
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
      [
        "warning: sent no Cache-Control",
        "check: listTransfers/warn (SHOULD; RFC 9111)",
        "based on RFC 9111: HTTP Caching",
      ],
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

/** What an element may contain, and its attributes; those with `!` are required. */
interface Known {
  readonly children: readonly string[];
  readonly attributes: readonly string[];
  /** An element without text between its children. */
  readonly isEmpty?: true;
}

const COUNTS = ["tests!", "failures!", "errors!"];

/**
 * The part of the JUnit format that junit-10.xsd of Jenkins' xUnit plugin allows and this suite uses, in the words of that
 * schema: it knows no properties below a case, and no number of skipped cases above a suite. GitLab reads the same
 * elements of a case, and needs its name and classname.
 */
const KNOWN: Readonly<Record<string, Known>> = {
  "": { children: ["testsuites"], attributes: [] },
  testsuites: {
    children: ["testsuite"],
    attributes: ["name", "time", "tests", "failures", "errors"],
    isEmpty: true,
  },
  testsuite: {
    children: ["testcase", "properties", "system-out", "system-err"],
    attributes: ["name!", ...COUNTS, "time", "skipped", "timestamp", "hostname", "id", "package", "file"],
    isEmpty: true,
  },
  testcase: {
    children: ["skipped", "error", "failure", "system-out", "system-err"],
    attributes: ["name!", "classname!", "time", "group"],
    isEmpty: true,
  },
  failure: { children: [], attributes: ["type", "message"] },
  error: { children: [], attributes: ["type", "message"] },
  skipped: { children: [], attributes: ["type", "message"] },
  "system-out": { children: [], attributes: [] },
};

/** Names what an element and those below it have that is unknown, and what they lack. */
function strangersIn({ name, attributes, children, text }: Element): string[] {
  const known = KNOWN[name] ?? { children: [], attributes: [] };
  const allowed = known.attributes.map((attribute) => attribute.replace("!", ""));
  const required = known.attributes.filter((attribute) => attribute.endsWith("!"));
  return [
    ...children
      .filter((child) => !known.children.includes(child.name))
      .map((child) => `${name}/${child.name}`),
    ...Object.keys(attributes).flatMap((one) => (allowed.includes(one) ? [] : [`${name}@${one}`])),
    ...required.flatMap((one) => (one.slice(0, -1) in attributes ? [] : [`${name} lacks ${one}`])),
    ...(known.isEmpty && text.trim() !== "" ? [`text in ${name}`] : []),
    ...(/^\d+(\.\d+)?$/.test(attributes.time ?? "0") ? [] : [`${name}@time=${attributes.time}`]),
    ...children.flatMap(strangersIn),
  ];
}

describe("readXml", () => {
  it.each(["<a><b></a></b>", "<a>", "<a/><b/>", '<a x="1" x="2"/>', "<a>&</a>", "<a>\u0001</a>", "<a x=1/>"])(
    "rejects %s",
    (xml) => {
      expect(() => readXml(xml)).toThrow();
    },
  );
});
