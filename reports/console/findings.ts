import { pasteable } from "../verdicts/commands.ts";
import { alike, briefly, detailsIn, findingsIn, levelOf } from "../verdicts/findings.ts";
import { aboutWarnings } from "../verdicts/headline.ts";
import { capsAdvice } from "../verdicts/money.ts";
import { groupInWords, openGroups, WITHOUT_PROOF } from "../verdicts/open.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict } from "../verdicts/verdict.ts";
import { cut, type Row } from "../verdicts/words.ts";
import { printable } from "../wording.ts";
import { aligned, fitted, type Layout, oneLineEach, section, wrap } from "./layout.ts";

/** Longer quotations of a response and longer reasons are cut; the evidence and `verdicts.json` have all of them. */
const LONGEST = 400;
/** A finding names this many files of its evidence. */
const FILES = 3;
/** Of the checks with the same finding, a terminal names this many. */
const MOST_NAMES = 4;

/** Renders what a run found: failures, warnings, and what it did not decide. */
export function findings(file: Verdicts, layout: Layout): string[] {
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
