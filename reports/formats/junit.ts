import { groupBy } from "../text/grouping.ts";
import { pasteable } from "../verdicts/commands.ts";
import { openReason } from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { shown } from "../verdicts/words.ts";
import { element, seconds, text } from "./xml.ts";

/**
 * Renders `junit.xml`, with a suite for each operation and a case for each check, which has the check's title as its
 * name. It keeps to what the readers of Jenkins and GitLab know. A check that was not tested, is inconclusive or is
 * waived is skipped with its reason; a warning is output; a fault of the suite is an error.
 */
export function renderJunit({ checks, problems, startedAt: timestamp }: Verdicts): string {
  const groups = groupBy(checks, ({ operation }) => operation);
  const suites = [...groups].map(([name, some]) => {
    const titles = groupBy(some, ({ title }) => title);
    // GitLab drops a case whose name another case of the suite has.
    const isAlone = ({ title }: CheckResult) => titles.get(title)?.length === 1;
    const cases = some.map((check) => testcase(check, isAlone(check)));
    return element("testsuite", { name, ...tally(some), timestamp }, cases);
  });
  // Problems belong to no check; a reader who has only the XML must still see that the run did not succeed.
  if (problems.length > 0) {
    const attributes = { name: "run", ...tally([], problems.length), timestamp };
    suites.push(element("testsuite", attributes, problems.map(problem)));
  }
  const { skipped: _, ...counts } = tally(checks, problems.length);
  const totals = { name: "payments-conformance", ...counts };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", totals, suites)}\n`;
}

function tally(checks: readonly CheckResult[], problems = 0) {
  const count = (...verdicts: CheckResult["verdict"][]) =>
    checks.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    tests: checks.length + problems,
    failures: count("fail"),
    errors: count("suite-error") + problems,
    skipped: count("not-tested", "inconclusive", "waived"),
    time: seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function problem(message: string): string {
  const error = element("error", { message, type: "problem" });
  return element("testcase", { classname: "run", name: message, time: seconds(0) }, [error]);
}

function testcase(check: CheckResult, isAlone: boolean): string {
  const { id, title, operation, durationMs } = check;
  const name = isAlone ? title : `${title} (${id})`;
  const attributes = { classname: operation, name, time: seconds(durationMs) };
  return element("testcase", attributes, finding(check));
}

function finding(check: CheckResult): string[] {
  const { verdict, level } = check;
  const message = check.message ?? verdict;
  const why = `${shown[verdict].word}: ${check.message ?? openReason(check)}`;
  const output = (lines: readonly string[]) => element("system-out", {}, [text(lines.join("\n"))]);
  switch (verdict) {
    case "fail":
      return [element("failure", { message, type: level }, [text(details(check).join("\n"))])];
    case "suite-error":
      return [element("error", { message, type: verdict }, [text(details(check).join("\n"))])];
    case "not-tested":
    case "inconclusive":
    case "waived":
      return [element("skipped", { message: why }), output(details(check))];
    case "warn":
    case "pass-weak":
      return [output([why, ...details(check)])];
    default:
      return [output([identity(check), ...(check.message ? [check.message] : [])])];
  }
}

/** How waivers and `--select` name the check, and how hard it judges. */
function identity({ id, level, critical, requirements, source }: CheckResult): string {
  const rules = [...requirements, ...(source ? [source] : [])].join(", ");
  return `check: ${id} (${level}${critical ? ", critical" : ""}; ${rules})`;
}

function details(check: CheckResult): string[] {
  return [
    identity(check),
    check.actual && `actual: ${check.actual}`,
    check.expected && `expected: ${check.expected}`,
    ...rulesOf(check).map((rule) => `${leadToRules(check)} ${rule}`),
    check.body && `response: ${check.body}`,
    check.settledBy && `settled by: ${check.settledBy}`,
    check.exchanges.length > 0 && `evidence: ${check.exchanges.join(", ")}`,
    ...(check.steps ? pasteable(check) : [check.curl]),
  ].filter((line) => typeof line === "string");
}
