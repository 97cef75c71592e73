import { sealedNames } from "../certificate/certificate.ts";
import { groupBy } from "../grouping.ts";
import { pasteable, whatToSet } from "../verdicts/commands.ts";
import { briefly, detailsIn, findingsIn, levelOf } from "../verdicts/findings.ts";
import {
  aboutCritical,
  aboutWarnings,
  headline,
  operationTable,
  problemsOf,
  reasonOf,
  targetName,
  trafficLine,
} from "../verdicts/headline.ts";
import { capsAdvice, moneyLines } from "../verdicts/money.ts";
import { groupInWords, openGroups, WITHOUT_PROOF } from "../verdicts/open.ts";
import type { CheckResult, Verdicts } from "../verdicts/verdict.ts";
import { hasVerdict, isExcluded, isMustFailure, VERDICTS_FILE } from "../verdicts/verdict.ts";
import { alignColumns, plural, present, printable, shown } from "../wording.ts";
import { aligned, oneLineEach, type Paint, painter, paragraph, type Style, styleOf } from "./layout.ts";

const EMBEDDED = "Demonstration: this run tested the embedded sandbox, not your deployment.";

/**
 * Renders what a person reads first: what was tested, the operations, the findings, what is open, and the outcome with
 * the reports that say more. Ends with a line break. `directory` is the folder of the run.
 */
export function renderResult(
  file: Verdicts,
  { color, directory }: { readonly color: boolean; readonly directory?: string },
): string {
  const { checks, target, outOfScope, outcome } = file;
  const paint = painter(color);
  const problems = problemsOf(file);
  const excluded = plural(checks.filter(isExcluded).length, "check");
  const sent = trafficLine(file);
  const names = Object.keys(file.digests).map((path) => path.replace(/\/.*/, "/"));
  const written = [VERDICTS_FILE, ...new Set(names), ...sealedNames(file)].join(", ");
  // The last line is the outcome in capitals, how many operations it covers, and what decided.
  const decided = paint(styleOf(outcome), headline(file).toUpperCase());
  const lines = [
    target.embedded ? EMBEDDED : tested(file),
    ...present(
      outOfScope.length > 0 && `Declared out of scope: ${printable(outOfScope.join(", "))} (${excluded}).`,
    ),
    ...paragraph(operationLines(file, paint)),
    ...section(paint, `PROBLEMS (${problems.length})`, oneLineEach(problems), "red"),
    ...paragraph(whatToSet(checks.filter(hasVerdict("fail")), target)),
    ...findings(file, paint, directory),
    ...paragraph(alarming(file, paint)),
    ...paragraph(leftBehind(file)),
    "",
    ...present(sent && `${sent}.`),
    `Reports written${directory ? ` to ${directory}` : ""}: ${written}`,
    `${decided}, exit code ${file.exitCode}: ${printable(reasonOf(file))}.`,
    ...present(target.embedded && EMBEDDED),
  ];
  return `${lines.join("\n")}\n`;
}

function tested({ target, startedAt }: Verdicts): string {
  const name = targetName({ target });
  const what = target.environment === "live" ? "Tested environment separation only:" : "Tested";
  const where = name === target.baseUrl ? name : `${name} at ${target.baseUrl}`;
  return printable(`${what} ${where} (${target.environment}) on ${startedAt.slice(0, 10)}.`);
}

function alarming({ observations }: Verdicts, paint: Paint): string[] {
  const seen = observations.filter((observation) => observation.alarming);
  return [...groupBy(seen, ({ text }) => text)].map(([text, same]) => {
    const operations = same.map(({ operation }) => operation).join(", ");
    return paint("red", printable(`Permitted, but worth checking: ${text} (${operations})`));
  });
}

function leftBehind({ observations, created, money }: Verdicts): string[] {
  const recorded = `${plural(observations.length, "observation")} about what the specification leaves open`;
  const records = `${plural(created.length, "record")}, which this API cannot delete`;
  const hasPaid = money.planned.count + money.kept.count > 0;
  return [
    ...present(
      observations.length > 0 && `The run recorded ${recorded}: see report.html.`,
      created.length > 0 && `The run created ${records}: see report.html.`,
    ),
    ...(money.expected && hasPaid
      ? ["Money, in the unit of the currency:", ...moneyLines(money.expected, money.kept)]
      : []),
  ];
}

/** One line for each operation, in the order of the specification: its method, its id, and its checks by state. */
function operationLines({ checks }: Verdicts, paint: Paint): string[] {
  if (checks.length === 0) return [];
  const { states, rows } = operationTable(checks);
  const cells = rows.map(({ operation: { method, id }, counts }) => [
    method,
    id,
    ...counts.map((count) => (count > 0 ? `${count}` : "-")),
  ]);
  const head = ["", "", ...states.map((state) => shown[state].word)];
  return alignColumns([head, ...cells], 2, (cell, row, column) => {
    const state = states[column - 2];
    if (row === 0 || cell.trim() === "-") return paint("dim", cell);
    return state ? paint(styleOf(state), cell) : cell;
  });
}

/** Puts a title above `lines`; without lines there is no section. */
const section = (paint: Paint, title: string, lines: readonly string[], style: Style = "bold"): string[] =>
  paragraph(lines.length > 0 ? [paint(style, title), ...lines] : []);

/** Renders what a run found: failures, critical findings, warnings, and what it did not decide. */
function findings(file: Verdicts, paint: Paint, directory: string | undefined): string[] {
  const { failed, critical, warned, undecided } = findingsIn(file.checks);
  const detailsOf = detailsIn(file, directory);
  const block = (check: CheckResult) => {
    const commands = pasteable(check).map(printable);
    return [
      "",
      `  ${paint("bold", check.id)} ${paint("dim", `(${levelOf(check)})`)}`,
      ...aligned(detailsOf(check).slice(1), "    "),
      ...commands.map((line) => `    ${line.startsWith("# ") ? paint("dim", line) : line}`),
    ];
  };
  const all = file.checks.filter(isMustFailure).length;
  const about = (text: string, some: readonly CheckResult[]) => (some.length > 0 ? [`  ${text}`] : []);
  const grave = [...about(aboutCritical(file), critical), ...critical.flatMap(block)];
  const warnings = [...about(aboutWarnings(file.checks), warned), ...oneLineEach(briefly(warned))];
  return [
    ...section(paint, `FAILED (${all})`, failed.flatMap(block), "red"),
    ...section(paint, `CRITICAL FINDINGS (${critical.length})`, grave, "red"),
    ...section(paint, `WARNINGS (${warned.length})`, warnings, "yellow"),
    ...section(paint, `INCONCLUSIVE (${undecided.length})`, oneLineEach(briefly(undecided)), "yellow"),
    ...notTested(file, paint),
  ];
}

/** Renders the checks that were not tested or passed without proof, grouped by what would complete them. */
function notTested({ checks, money: { expected } }: Verdicts, paint: Paint): string[] {
  const groups = openGroups(checks);
  const open = groups.flatMap(([, some]) => some);
  const isOverBudget = open.some(({ reason, variables = [] }) => reason === "budget" && variables.length > 0);
  const lines = [
    ...groups.map(([reason, some]) => `${reason}: ${groupInWords(some)}`),
    ...present(
      isOverBudget && expected && capsAdvice(expected.needed),
      open.some(hasVerdict("pass-weak")) && WITHOUT_PROOF,
    ),
  ];
  return section(
    paint,
    `NOT TESTED, OR PASSED WITHOUT PROOF (${open.length})`,
    lines.map((line) => `  ${printable(line)}`),
  );
}
