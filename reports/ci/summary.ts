import { contract, operations } from "../../schemas/contract.ts";
import { baselineLines } from "../compare/render-difference.ts";
import { groupBy } from "../text/grouping.ts";
import { answersOf } from "../verdicts/answers.ts";
import { pasteable } from "../verdicts/commands.ts";
import { findingOf, headline, leftOpen, reasonOf, talliesFor, targetName } from "../verdicts/headline.ts";
import { groupInWords, openGroups } from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult, Verdict } from "../verdicts/verdict.ts";
import { code, list } from "./markdown.ts";

/** Renders `summary.md`, the result in Markdown for a CI job. Everything from the target is in code, and so inert. */
export function renderSummary(file: Verdicts): string {
  const { target, suite, startedAt, seed, checks, problems } = file;
  const open = leftOpen(checks);
  const where = [
    code(target.baseUrl),
    target.environment,
    `suite ${suite.version}`,
    `${startedAt.slice(0, 10)}`,
    `seed ${seed}`,
  ];
  const parts = [
    `# ${headline(file)}: ${code(targetName(file))}`,
    ...(target.embedded
      ? ["**Demonstration:** this run tested the embedded sandbox, not a deployment."]
      : []),
    `${code(reasonOf(file))} (exit code ${file.exitCode})`,
    ...(open ? [`Left undecided: ${open}.`] : []),
    answersOf(file)
      .flatMap(([question, answer]) => (answer ? [`- **${question}:** ${code(answer)}`] : []))
      .join("\n"),
    where.join(" · "),
    ...(file.baseline ? [baselineLines(file.baseline).map(code).join("<br>\n")] : []),
    ...list("Problems", problems, code),
    ...list("Failures", withVerdict(checks, "fail"), failure),
    ...list("Warnings", withVerdict(checks, "warn"), oneLine),
    ...list("Waived", withVerdict(checks, "waived"), oneLine),
    ...list(
      "What would settle the open checks",
      openGroups(checks),
      ({ reason, checks: some }) => `${code(reason)}: ${groupInWords(some, { names: false })}`,
    ),
    ...operationTable(checks),
    "The whole report is `report.html` in the run's folder.",
  ];
  return `${parts.join("\n\n")}\n`;
}

const withVerdict = (checks: readonly CheckResult[], verdict: Verdict) =>
  checks.filter((check) => check.verdict === verdict);

/** A failure with its requirement in words, what happened, what was expected and the command. */
function failure(check: CheckResult): string {
  const { method, route } = contract[check.operation];
  const lines = [
    `**${code(check.id)}**, which checks that the API ${code(check.title)}`,
    `${code(`${method} ${route}`)}`,
    `actual: ${code(check.actual ?? check.message ?? check.verdict)}`,
    ...(check.expected === undefined ? [] : [`expected: ${code(check.expected)}`]),
    ...rulesOf(check).map((rule) => `${leadToRules(check)} ${code(rule)}`),
    ...(check.steps?.length ? pasteable(check) : [check.curl ?? ""]).filter(Boolean).map(code),
  ];
  return lines.join("<br>\n  ");
}

const oneLine = (check: CheckResult): string => `${code(check.id)}: ${code(findingOf(check))}`;

function operationTable(checks: readonly CheckResult[]): string[] {
  if (checks.length === 0) return [];
  const groups = groupBy(checks, ({ operation }) => operation);
  const tested = operations.filter(({ id }) => groups.has(id));
  const columns = talliesFor(checks).filter(({ title }) => title !== "observed");
  const rows = tested.map(({ id }) => {
    const numbers = columns.map(({ counts }) => (groups.get(id) ?? []).filter(counts).length);
    return `| ${[id, ...numbers].join(" | ")} |`;
  });
  const head = `| ${["operation", ...columns.map(({ title }) => title)].join(" | ")} |`;
  return [[head, `|---|${"--:|".repeat(columns.length)}`, ...rows].join("\n")];
}
