import { contract } from "../../schemas/contract.ts";
import { baselineLines } from "../compare/difference.ts";
import { pasteable } from "../verdicts/commands.ts";
import {
  answersOf,
  findingOf,
  headline,
  leftOpen,
  reasonOf,
  talliesByOperation,
  targetName,
} from "../verdicts/headline.ts";
import { groupInWords, openGroups } from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict } from "../verdicts/verdict.ts";
import { code, list, renderMarkdown, table } from "./markdown.ts";

/** Renders the summary of a run of checks. */
export function renderSummary(file: Verdicts): string {
  const { target, suite, startedAt, seed, checks, problems, baseline, exitCode } = file;
  const open = leftOpen(checks);
  const { tallies, rows } = talliesByOperation(checks, true);
  const columns = tallies.filter(({ title }) => title !== "observed");
  return renderMarkdown({
    title: headline(file),
    target: targetName(file),
    demonstrates: target.embedded && "tested",
    because: reasonOf(file),
    exitCode,
    parts: [
      open && `Left undecided: ${open}.`,
      answersOf(file)
        .flatMap(([question, answer]) => (answer ? [`- **${question}:** ${code(answer)}`] : []))
        .join("\n"),
      `${code(target.baseUrl)} · ${target.environment} · suite ${suite.version} · ${startedAt.slice(0, 10)} · seed ${seed}`,
      ...(baseline ? [baselineLines(baseline).map(code).join("<br>\n")] : []),
      ...list("Problems", problems, code),
      ...list("Failures", checks.filter(hasVerdict("fail")), failure),
      ...list("Warnings", checks.filter(hasVerdict("warn")), oneLine),
      ...list("Waived", checks.filter(hasVerdict("waived")), oneLine),
      ...list(
        "What would settle the open checks",
        openGroups(checks),
        ({ reason, checks: some }) => `${code(reason)}: ${groupInWords(some, { names: false })}`,
      ),
      checks.length > 0
        ? table([
            ["operation", ...columns.map(({ title }) => title)],
            ...rows.map(({ operation, own }) => [
              operation.id,
              ...columns.map(({ counts }) => own.filter(counts).length),
            ]),
          ])
        : "",
    ],
    page: "report.html",
  });
}

/** A failure with its requirement in words, what happened, what was expected and the command. */
function failure(check: CheckResult): string {
  const { method, route } = contract[check.operation];
  const lines = [
    `**${code(check.id)}**, which checks that the API ${code(check.title)}`,
    `${code(`${method} ${route}`)}`,
    `actual: ${code(check.actual ?? check.message ?? check.verdict)}`,
    ...(check.expected === undefined ? [] : [`expected: ${code(check.expected)}`]),
    ...rulesOf(check).map((rule) => `${leadToRules(check)} ${code(rule)}`),
    ...pasteable(check).map(code),
  ];
  return lines.join("<br>\n  ");
}

const oneLine = (check: CheckResult): string => `${code(check.id)}: ${code(findingOf(check))}`;
