import { pasteable } from "../verdicts/commands.ts";
import { briefly, detailsIn, findingsIn, levelOf } from "../verdicts/findings.ts";
import {
  answersOf,
  factsOf,
  headline,
  operationTable,
  problemsOf,
  reasonOf,
  targetName,
} from "../verdicts/headline.ts";
import { groupInWords, openGroups } from "../verdicts/open.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict, isMustFailure } from "../verdicts/verdict.ts";
import { linesOf, type Row, shown } from "../wording.ts";
import { code, list, renderMarkdown, table } from "./markdown.ts";

/** Renders the summary of a run of checks. */
export function renderSummary(file: Verdicts): string {
  const { target, checks, exitCode } = file;
  const { critical, warned } = findingsIn(checks);
  const { states, rows } = operationTable(checks);
  const detailsOf = detailsIn(file);
  const failure = (check: CheckResult) =>
    [
      `**${code(check.id)}** (${levelOf(check)})`,
      ...linesOf(detailsOf(check).slice(1), code),
      ...pasteable(check).map(code),
    ].join("<br>\n  ");
  return renderMarkdown({
    title: headline(file),
    target: targetName(file),
    demonstrates: target.embedded && "tested",
    because: reasonOf(file),
    exitCode,
    parts: [
      facts(answersOf(file)),
      factsOf(file)
        .map(([label, text = ""]) => `${label} ${code(text)}`)
        .join(" · "),
      ...list("Problems", problemsOf(file), code),
      ...list("Failures", checks.filter(isMustFailure), failure),
      ...list("Critical findings", critical, failure),
      ...list("Warnings", briefly(warned), code),
      ...list("Waived", briefly(checks.filter(hasVerdict("waived"))), code),
      ...list(
        "What would settle the open checks",
        openGroups(checks),
        ([reason, some]) => `${code(reason)}: ${groupInWords(some)}`,
      ),
      checks.length > 0
        ? table([
            ["operation", ...states.map((state) => shown[state].word)],
            ...rows.map(({ operation, counts }) => [operation.id, ...counts]),
          ])
        : "",
    ],
    page: "report.html",
  });
}

const facts = (rows: readonly Row[]): string =>
  rows.map(([label, ...texts]) => `- **${label}:** ${texts.map(code).join(", ")}`).join("\n");
