import { groupBy } from "../grouping.ts";
import { html, type Markup } from "../pages/page.ts";
import { pasteable } from "../verdicts/commands.ts";
import { actualOf, detailsIn, levelOf } from "../verdicts/findings.ts";
import { type CheckResult, hasVerdict, type Verdict, type Verdicts } from "../verdicts/verdict.ts";
import { linesOf, present, type Row, shown } from "../wording.ts";

/** Readers know three ways not to pass. What is undecided is skipped, and a warning only has output. */
const KINDS: Partial<Readonly<Record<Verdict, "failure" | "error" | "skipped">>> = {
  fail: "failure",
  "suite-error": "error",
  "not-tested": "skipped",
  inconclusive: "skipped",
  waived: "skipped",
};

/**
 * Renders `junit.xml` with a suite for each operation and a case for each check, and for the problems of the run. It keeps
 * to what the readers of Jenkins and GitLab know.
 */
export function renderChecksJunit(file: Verdicts): string {
  const { checks, problems, startedAt } = file;
  const detailsOf = detailsIn(file);
  // GitLab drops a case whose name another case of the suite has.
  const names = groupBy(checks, ({ operation, title }) => `${operation} ${title}`);
  const testcase = (check: CheckResult) => {
    const { id, operation, title } = check;
    const name = names.get(`${operation} ${title}`)?.length === 1 ? title : `${title} (${id})`;
    return html`<testcase classname="${operation}" name="${name}" time="${seconds([check])}">${contentOf(check, detailsOf(check))}</testcase>`;
  };
  const suites = [...groupBy(checks, ({ operation }) => operation)].map(([operation, some]) => {
    const skipped = some.filter(({ verdict }) => KINDS[verdict] === "skipped").length;
    return html`<testsuite name="${operation}"${tally(some)} skipped="${skipped}" timestamp="${startedAt}">${some.map(testcase)}</testsuite>`;
  });
  // A reader who has only the XML must still see that the run did not succeed.
  const broken = problems.map(
    (text) =>
      html`<testcase classname="run" name="${text}" time="0.000"><error message="${text}" type="problem"/></testcase>`,
  );
  const run =
    broken.length > 0 &&
    html`<testsuite name="run"${tally([], broken.length)} skipped="0" timestamp="${startedAt}">${broken}</testsuite>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<testsuites name="payments-conformance"${tally(checks, broken.length)}>${suites}${run}</testsuites>`}\n`;
}

/** The counts of some checks and problems, as attributes. */
function tally(checks: readonly CheckResult[], problems = 0): Markup {
  const failures = checks.filter(hasVerdict("fail")).length;
  const errors = checks.filter(hasVerdict("suite-error")).length + problems;
  return html` tests="${checks.length + problems}" failures="${failures}" errors="${errors}" time="${seconds(checks)}"`;
}

const seconds = (checks: readonly CheckResult[]): string =>
  (checks.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);

function contentOf(check: CheckResult, details: readonly Row[]): Markup {
  const { verdict, message } = check;
  const printed = (lines: readonly string[]) => html`<system-out>${lines.join("\n")}</system-out>`;
  const lines = linesOf(details);
  if (verdict === "pass" || verdict === "observed")
    return printed([...lines.slice(0, 1), ...present(message)]);
  const output = [...lines, ...pasteable(check)];
  const [kind, why] = [KINDS[verdict], message ?? actualOf(check)];
  if (kind === "failure" || kind === "error")
    return html`<${kind} message="${why}" type="${kind === "failure" ? levelOf(check) : verdict}">${output.join("\n")}</${kind}>`;
  const named = `${shown[verdict].word}: ${why}`;
  return kind ? html`<skipped message="${named}"/>${printed(output)}` : printed([named, ...output]);
}
