import { sealedNames } from "../certificate/certificate.ts";
import type { Environment, Output } from "../command-line/command.ts";
import { groupBy } from "../grouping.ts";
import { baselineRows } from "../verdicts/baseline.ts";
import { howToLoad, pasteable, variablesIn } from "../verdicts/commands.ts";
import { alike, briefly, detailsIn, findingsIn, levelOf } from "../verdicts/findings.ts";
import {
  aboutWarnings,
  coverage,
  operationTable,
  outcomeOf,
  problemsOf,
  reasonOf,
  targetName,
  trafficLine,
} from "../verdicts/headline.ts";
import { capsAdvice, moneyLines, sumsOf } from "../verdicts/money.ts";
import { groupInWords, openGroups, WITHOUT_PROOF } from "../verdicts/open.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict, isExcluded } from "../verdicts/verdict.ts";
import { alignColumns, cut, plural, printable, type Row, shown } from "../wording.ts";
import {
  aligned,
  fitted,
  type Layout,
  oneLineEach,
  type Paint,
  painter,
  paragraph,
  section,
  styleOf,
  wrap,
} from "./layout.ts";

const EMBEDDED = "Demonstration: this run tested the embedded sandbox, not your deployment.";

/** Chooses colour and width by what `terminal` can do; respects `NO_COLOR` and `COLUMNS`. */
export function consoleOptions(terminal: Output = process.stdout, env: Environment = process.env) {
  const color = terminal.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const columns = Number(env.COLUMNS);
  // A terminal without a reader may say that it has no columns.
  const width = Number.isInteger(columns) && columns > 0 ? columns : terminal.columns || 100;
  return { color, width, whole: terminal.isTTY !== true };
}

/**
 * Renders what a person reads first: what was tested, the operations, the findings, what is open, and the outcome with
 * the reports that say more. Ends with a line break.
 */
export function renderResult(
  file: Verdicts,
  { color, ...options }: Omit<Layout, "paint"> & { readonly color: boolean },
): string {
  const { checks, target, baseline, outcome } = file;
  const paint = painter(color);
  const layout = { ...options, paint };
  const problems = problemsOf(file);
  const repeated = checks.filter(
    ({ verdict, level }) => verdict === "fail" || (verdict === "inconclusive" && level === "MUST"),
  );
  const since = baseline ? aligned(baselineRows(baseline), "  ", printable) : [];
  const sent = trafficLine(file);
  const names = Object.keys(file.digests).map((path) => path.replace(/\/.*/, "/"));
  const written = [VERDICTS_FILE, ...new Set(names), ...sealedNames(file)].join(", ");
  // The last line is the outcome in capitals, how many operations it covers, and what decided.
  const decided = paint(styleOf(outcome), `${outcomeOf(file).toUpperCase()}${coverage(file)}`);
  const lines = [
    target.embedded ? EMBEDDED : tested(file),
    ...scope(file),
    ...paragraph(checks.length > 0 ? operationLines(file, paint) : []),
    ...section(`PROBLEMS (${problems.length})`, oneLineEach(problems, layout), layout, "red"),
    ...paragraph(howToLoad(variablesIn(repeated), file.keySource)),
    ...findings(file, layout),
    ...waiverTemplate(file),
    ...paragraph(alarming(file, paint)),
    ...paragraph(leftBehind(file)),
    ...section("Since the baseline", since, layout),
    "",
    ...(sent ? [`${sent}.`] : []),
    `Reports written${options.directory ? ` to ${options.directory}` : ""}: ${written}`,
    `${decided}, exit code ${file.exitCode}: ${printable(reasonOf(file))}.`,
    ...(target.embedded ? [EMBEDDED] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function tested({ target, startedAt }: Verdicts): string {
  const name = targetName({ target });
  const what = target.environment === "live" ? "Tested environment separation only:" : "Tested";
  const where = name === target.baseUrl ? name : `${name} at ${target.baseUrl}`;
  return printable(`${what} ${where} (${target.environment}) on ${startedAt.slice(0, 10)}.`);
}

function scope({ outOfScope, checks }: Verdicts): string[] {
  if (outOfScope.length === 0) return [];
  const excluded = plural(checks.filter(isExcluded).length, "check");
  return [`Declared out of scope: ${printable(outOfScope.join(", "))} (${excluded}).`];
}

function alarming({ observations }: Verdicts, paint: Paint): string[] {
  const seen = observations.filter((observation) => observation.alarming);
  return [...groupBy(seen, ({ text }) => text)].map(([text, same]) => {
    const operations = same.map(({ operation }) => operation).join(", ");
    return paint("red", printable(`Permitted, but worth checking: ${text} (${operations})`));
  });
}

function leftBehind({ observations, created, money }: Verdicts): string[] {
  const recorded = plural(observations.length, "observation");
  const records = plural(created.length, "record");
  return [
    ...(observations.length > 0
      ? [`The run recorded ${recorded} about what the specification leaves open: see observations.md.`]
      : []),
    ...(created.length > 0
      ? [`The run created ${records}, which this API cannot delete: see created.csv.`]
      : []),
    ...(money.planned.count + money.kept.count > 0
      ? ["Money, in the unit of the currency:", ...moneyLines(sumsOf(money))]
      : []),
  ];
}

/** Leaves reason and owner empty, which the reader of the file rejects: no one can waive a failure by copying alone. */
function waiverTemplate(file: Verdicts): string[] {
  if (file.exitCode !== 1) return [];
  const month = 30 * 24 * 3600 * 1000;
  const expires = new Date(Date.parse(file.finishedAt) + month).toISOString().slice(0, 10);
  const entries = file.checks
    .filter(hasVerdict("fail"))
    .map((check) => `  ${JSON.stringify({ check: check.id, reason: "", owner: "", expires })}`);
  if (entries.length === 0) return [];
  return [
    "",
    "To waive failures for a while, save this list to a file and set WAIVERS to its path.",
    "Delete the lines of failures that you do not waive, and fill in each reason and owner.",
    "[",
    entries.join(",\n"),
    "]",
  ];
}

/** One line for each operation, in the order of the specification: its method, its id, and its checks by state. */
function operationLines({ checks }: Verdicts, paint: Paint): string[] {
  const { states, rows } = operationTable(checks);
  const cells = rows.map(({ operation: { method, id }, counts }) => [
    method,
    id,
    ...counts.map((count) => (count > 0 ? `${count}` : "-")),
  ]);
  return alignColumns(
    [["", "", ...states.map((state) => shown[state].word)], ...cells],
    2,
    (cell, row, column) => {
      const state = states[column - 2];
      if (row === 0 || cell.trim() === "-") return paint("dim", cell);
      return state ? paint(styleOf(state), cell) : cell;
    },
  );
}

/** Longer quotations of a response and longer reasons are cut; the evidence and `verdicts.json` have all of them. */
const LONGEST = 400;
/** A finding names this many files of its evidence. */
const FILES = 3;
/** Of the checks with the same finding, a terminal names this many. */
const MOST_NAMES = 4;

/** Renders what a run found: failures, warnings, and what it did not decide. */
function findings(file: Verdicts, layout: Layout): string[] {
  const { failed, warned, undecided } = findingsIn(file.checks);
  const detailsOf = detailsIn(file, { files: FILES, directory: layout.directory });
  const shown = (check: CheckResult, others: readonly CheckResult[] = []) => [
    "",
    ...block(check, detailsOf(check), layout),
    ...same(others, layout),
  ];
  // An undecided MUST check is shown like a failure, since it keeps the run from a verdict.
  const must = alike(
    undecided.filter(({ level }) => level === "MUST"),
    2,
  );
  const blocks = must.flatMap(([check, ...others]) => (check ? shown(check, others) : []));
  const others = briefly(undecided.filter(({ level }) => level !== "MUST"));
  const gap = blocks.length > 0 && others.length > 0 ? [""] : [];
  const all = file.checks.filter(hasVerdict("fail")).length;
  const warnings =
    warned.length > 0 ? [...wrap(aboutWarnings(file), layout), ...oneLineEach(briefly(warned), layout)] : [];
  return [
    ...section(
      `FAILED (${all})`,
      failed.flatMap((check) => shown(check)),
      layout,
      "red",
    ),
    ...section(`WARNINGS (${warned.length})`, warnings, layout, "yellow"),
    ...section(
      `INCONCLUSIVE (${undecided.length})`,
      [...blocks, ...gap, ...oneLineEach(others, layout)],
      layout,
      "yellow",
    ),
    ...notTested(file, layout),
  ];
}

/** Renders everything about one finding. */
const block = (check: CheckResult, rows: readonly Row[], layout: Layout): string[] => [
  `  ${layout.paint("bold", check.id)} ${layout.paint("dim", `(${levelOf(check)})`)}`,
  ...aligned(rows, "    ", (text) => fitted(text, LONGEST, layout)),
  ...pasteable(check)
    .map(printable)
    .map((line) => `    ${line.startsWith("# ") ? layout.paint("dim", line) : line}`),
];

/** Names the other checks with the same finding; in a terminal only the first. */
function same(checks: readonly CheckResult[], layout: Layout): string[] {
  if (checks.length === 0) return [];
  const most = layout.whole ? Number.POSITIVE_INFINITY : MOST_NAMES;
  const ids = cut(
    checks.map(({ id }) => id),
    most,
    (count) => `${count} more in verdicts.json`,
  );
  return wrap(`The same holds for ${ids.join(", ")}.`, layout).map((line) => `  ${line}`);
}

/** Renders the checks that were not tested or passed without proof, grouped by what would complete them. */
function notTested({ checks, money: { needed } }: Verdicts, layout: Layout): string[] {
  const groups = openGroups(checks);
  const open = groups.flatMap(([, some]) => some);
  const isOverBudget = open.some(({ reason, variables = [] }) => reason === "budget" && variables.length > 0);
  const lines = [
    ...groups.map(([reason, some]) => `${reason}: ${groupInWords(some)}`),
    ...(isOverBudget && needed ? [capsAdvice(needed)] : []),
    ...(open.some(hasVerdict("pass-weak")) ? [WITHOUT_PROOF] : []),
  ];
  const wrapped = lines.flatMap((line) => wrap(line, layout));
  return section(`NOT TESTED, OR PASSED WITHOUT PROOF (${open.length})`, wrapped, layout);
}
