import { groupBy } from "../text/grouping.ts";
import { printable } from "../text/wording.ts";
import { openReason } from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { CheckResult, VerdictsFile } from "../verdicts/verdict.ts";

type Child = string;
type Attributes = Readonly<Record<string, string | number>>;

/**
 * Renders `junit.xml`, with a suite for each operation and a case for each check. A check that was not tested, is
 * inconclusive or is waived is skipped with its reason; a warning is output; a fault of the suite is an error.
 */
export function renderJunit(file: VerdictsFile): string {
  const groups = groupBy(file.checks, (check) => check.operation);
  const suites = [...groups].map(([operation, checks]) =>
    suite(operation, checks.map(testcase), tally(checks), file.startedAt),
  );
  const extra = file.problems.length;
  // Problems belong to no check; a reader who has only the XML must still see that the run did not succeed.
  if (extra > 0) {
    const total = { tests: extra, failures: 0, errors: extra, skipped: 0, time: 0 };
    suites.push(suite("run", file.problems.map(problem), total, file.startedAt));
  }
  const all = tally(file.checks);
  const totals = { ...all, tests: all.tests + extra, errors: all.errors + extra, time: all.time.toFixed(3) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "payments-conformance", ...totals }, suites)}\n`;
}

type Tally = ReturnType<typeof tally>;

function tally(checks: readonly CheckResult[]) {
  const of = (...verdicts: CheckResult["verdict"][]) =>
    checks.filter((c) => verdicts.includes(c.verdict)).length;
  return {
    tests: checks.length,
    failures: of("fail"),
    errors: of("suite-error"),
    skipped: of("not-tested", "inconclusive", "waived"),
    time: checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000,
  };
}

function suite(name: string, cases: readonly Child[], total: Tally, timestamp: string): Child {
  return element("testsuite", { name, ...total, time: total.time.toFixed(3), timestamp }, cases);
}

function problem(text: string): Child {
  return element("testcase", { classname: "run", name: text, time: "0.000" }, [
    element("error", { message: text, type: "problem" }, []),
  ]);
}

function testcase(check: CheckResult): Child {
  const properties: [string, string][] = [
    ["level", check.level],
    ["verdict", check.verdict],
    ["requirements", check.requirements.join(",")],
    ...(check.source ? ([["source", check.source]] satisfies [string, string][]) : []),
  ];
  const listed = properties.filter(([, value]) => value !== "");
  return element(
    "testcase",
    {
      classname: check.operation,
      name: `${check.id}: ${check.title}`,
      time: (check.durationMs / 1000).toFixed(3),
    },
    [
      element(
        "properties",
        {},
        listed.map(([name, value]) => element("property", { name, value }, [])),
      ),
      ...finding(check),
    ],
  );
}

function finding(check: CheckResult): Child[] {
  const message = check.message ?? check.verdict;
  switch (check.verdict) {
    case "fail":
      return [element("failure", { message, type: check.level }, [text(details(check))])];
    case "suite-error":
      return [element("error", { message, type: "suite-error" }, [text(details(check))])];
    case "not-tested":
    case "inconclusive":
    case "waived":
      return [element("skipped", { message: `${check.verdict}: ${why(check)}` }, [])];
    case "warn":
    case "pass-weak":
      return [element("system-out", {}, [text(`${check.verdict}: ${why(check)}\n${details(check)}`)])];
    default:
      return check.message ? [element("system-out", {}, [text(check.message)])] : [];
  }
}

const why = (check: CheckResult): string => check.message ?? openReason(check);

function details(check: CheckResult): string {
  return [
    check.actual && `actual: ${check.actual}`,
    check.expected && `expected: ${check.expected}`,
    ...rulesOf(check).map((rule) => `${leadToRules(check)} ${rule}`),
    check.body && `response: ${check.body}`,
    check.exchanges.length > 0 && `evidence: ${check.exchanges.join(", ")}`,
    check.curl,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}

function element(name: string, attributes: Attributes, children: readonly Child[]): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(printable(`${value}`))}"`,
  );
  const open = `<${name}${list.join("")}`;
  return children.length > 0 ? `${open}>${children.join("")}</${name}>` : `${open}/>`;
}

/** Keeps line breaks, and escapes all other control characters, which XML 1.0 forbids. */
function text(content: string): Child {
  return escaped(content.split("\n").map(printable).join("\n"));
}

function escaped(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
