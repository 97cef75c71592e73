import { groupBy } from "../grouping.ts";
import { pasteable } from "../verdicts/commands.ts";
import { actualOf, detailsIn, levelOf } from "../verdicts/findings.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { linesOf, present, printable, printableLines, type State, shown } from "../wording.ts";

/** One case of `junit.xml`. */
interface Case {
  readonly suite: string;
  readonly name: string;
  readonly state: State;
  /** Why it failed, broke or was skipped. */
  readonly message?: string;
  readonly type?: string;
  readonly output?: readonly string[];
  readonly durationMs?: number;
}

/** Readers know three ways not to pass. What is undecided is skipped, and a warning only has output. */
const ELEMENTS: Partial<Readonly<Record<State, "failure" | "error" | "skipped">>> = {
  fail: "failure",
  "suite-error": "error",
  error: "error",
  "not-tested": "skipped",
  inconclusive: "skipped",
  waived: "skipped",
};

/** Renders cases as `junit.xml`, which keeps to what the readers of Jenkins and GitLab know. */
function renderCases(cases: readonly Case[], timestamp: string): string {
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([suite, some]) =>
    element("testsuite", { name: suite, ...tally(some), timestamp }, some.map(testcase)),
  );
  const { skipped: _, ...counts } = tally(cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "payments-conformance", ...counts }, suites)}\n`;
}

function tally(cases: readonly Case[]) {
  const count = (name: string) => cases.filter(({ state }) => ELEMENTS[state] === name).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds(cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
  };
}

function testcase({ suite, name, state, message = "", type = state, output = [], durationMs = 0 }: Case) {
  const kind = ELEMENTS[state];
  const text = output.length > 0 ? [escaped(printableLines(output.join("\n")))] : [];
  const printed = output.length > 0 ? [element("system-out", {}, text)] : [];
  const attributes = { classname: suite, name, time: seconds(durationMs) };
  if (kind === "failure" || kind === "error")
    return element("testcase", attributes, [element(kind, { message, type }, text)]);
  return element("testcase", attributes, kind ? [element(kind, { message }), ...printed] : printed);
}

/** An element with its attributes, which are escaped, and its children, which are inserted as they are. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(printable(`${value}`))}"`,
  );
  const open = `<${name}${list.join("")}`;
  return children.length > 0 ? `${open}>${children.join("")}</${name}>` : `${open}/>`;
}

const escaped = (content: string) =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** Renders `junit.xml` with a suite for each operation and a case for each check, and for the problems of the run. */
export function renderChecksJunit(file: Verdicts): string {
  const { checks, problems, startedAt } = file;
  const detailsOf = detailsIn(file);
  // GitLab drops a case whose name another case of the suite has.
  const names = groupBy(checks, ({ operation, title }) => `${operation} ${title}`);
  const cases = checks.map((check): Case => {
    const { id, operation: suite, title, verdict: state, durationMs } = check;
    const isAlone = names.get(`${suite} ${title}`)?.length === 1;
    const name = isAlone ? title : `${title} (${id})`;
    return { suite, name, state, durationMs, ...resultOf(check, linesOf(detailsOf(check))) };
  });
  // A reader who has only the XML must still see that the run did not succeed.
  const broken = problems.map((message): Case => {
    return { suite: "run", name: message, state: "error", message, type: "problem" };
  });
  return renderCases([...cases, ...broken], startedAt);
}

function resultOf(check: CheckResult, details: readonly string[]): Partial<Case> {
  const { verdict, message } = check;
  if (verdict === "pass" || verdict === "observed")
    return { output: [...details.slice(0, 1), ...present(message)] };
  const output = [...details, ...pasteable(check)];
  const why = message ?? actualOf(check);
  if (verdict === "fail") return { message: why, type: levelOf(check), output };
  if (verdict === "suite-error") return { message: why, output };
  const named = `${shown[verdict].word}: ${why}`;
  return { message: named, output: ELEMENTS[verdict] ? output : [named, ...output] };
}
