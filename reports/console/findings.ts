import { contract } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { aboutWarnings } from "../verdicts/answers.ts";
import { pasteable } from "../verdicts/commands.ts";
import { findingOf } from "../verdicts/headline.ts";
import { capsAdvice } from "../verdicts/money.ts";
import {
  blockedCounts,
  consequencesOf,
  groupInWords,
  isBlocked,
  openGroups,
  openReason,
  WITHOUT_PROOF,
} from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { plural, printable } from "../wording.ts";
import { fitted, type Layout, oneLineEach, section, wrap } from "./layout.ts";

/** Longer quotations of a response and longer reasons are cut; the evidence and `verdicts.json` have all of them. */
const LONGEST = 400;
/** A failure names this many evidence files; `verdicts.json` has all of them. */
const MOST_FILES = 3;
/** A failure states this many of its rules in words. */
const MOST_RULES = 3;

/** Renders every failure: what the API did, what was expected and why, the evidence, and the commands that repeat it. */
export function failures(file: Verdicts, layout: Layout): string[] {
  const failed = file.checks.filter((check) => check.verdict === "fail");
  const blocked = blockedCounts(file.checks);
  const consequences = consequencesOf(file.checks);
  const told = new Set([...consequences.values()].flat());
  const lines = failed
    .filter((check) => !told.has(check))
    .flatMap((check) => {
      const following = consequences.get(check.id) ?? [];
      const blocks = [check, ...following].reduce((sum, { id }) => sum + (blocked.get(id) ?? 0), 0);
      return ["", ...block(check, blocks, layout, following)];
    });
  return section(`FAILED (${failed.length})`, lines, layout, "red");
}

/** Renders everything about one finding; `blocks` is the number of checks that it keeps from running, `following` what else it explains. */
export function block(
  check: CheckResult,
  blocks: number,
  layout: Layout,
  following: readonly CheckResult[] = [],
): string[] {
  const { method, route } = contract[check.operation];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["operation", `${method} ${route}`],
    ["checks that", `the API ${check.title}`],
    ["actual", check.actual ?? check.message],
    ["expected", check.verdict === "inconclusive" ? undefined : check.expected],
    ...reasons(check),
    ["response", check.body],
    ["settled by", check.settledBy],
    ["evidence", evidence(check, layout)],
    ["explains", explained(following)],
    ["blocks", blocks > 0 ? `${plural(blocks, "other check")}, which could not run` : undefined],
  ];
  const { paint } = layout;
  const level = check.critical ? `${check.level}, critical` : check.level;
  return [
    `  ${paint("bold", check.id)} ${paint("dim", `(${level})`)}`,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`    ${name.padEnd(11)}  ${fitted(value, LONGEST, layout)}`],
    ),
    ...pasteable(check)
      .map(printable)
      .map((line) => `    ${line.startsWith("# ") ? paint("dim", line) : line}`),
  ];
}

/** The failures that follow from another in full, since each needs a waiver of its own, and how much else does. */
function explained(following: readonly CheckResult[]): string | undefined {
  const of = (verdict: CheckResult["verdict"]) => following.filter((check) => check.verdict === verdict);
  const [warned, open] = [of("warn").length, of("inconclusive").length];
  const parts = [
    ...of("fail").map(({ id }) => `the failure of ${id}`),
    ...(warned > 0 ? [plural(warned, "warning")] : []),
    ...(open > 0 ? [`${plural(open, "check")} that could not decide`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

/** The first rules in words; `verdicts.json` and the other reports state all of them. */
function reasons(check: CheckResult): (readonly [string, string])[] {
  const rules = rulesOf(check);
  const stated = rules.slice(0, MOST_RULES).map((rule) => [leadToRules(check), rule] as const);
  const others = rules.slice(MOST_RULES).map((rule) => rule.replace(/:? .*/, ""));
  return others.length > 0 ? [...stated, ["", `also ${others.join(", ")}`]] : stated;
}

function evidence({ exchanges }: CheckResult, { directory }: Layout): string | undefined {
  if (exchanges.length === 0) return undefined;
  const files = exchanges.slice(0, MOST_FILES).map((name) => (directory ? `${directory}/${name}` : name));
  const rest = exchanges.length - files.length;
  return [...files, ...(rest > 0 ? [`${rest} more in verdicts.json`] : [])].join(", ");
}

/** From this many checks on, a reason that they share is shown once. */
const MANY = 4;

/** Renders the problems of the run, and the checks that broke through a fault of the suite. */
export function problems(file: Verdicts, layout: Layout): string[] {
  const broken = file.checks.filter((check) => check.verdict === "suite-error");
  const lines = [
    ...file.problems,
    ...broken.map((check) => `${check.id}: ${check.message ?? "the suite broke"}`),
  ];
  return section(`PROBLEMS (${lines.length})`, oneLineEach(lines, layout), layout, "red");
}

export function warnings(file: Verdicts, layout: Layout): string[] {
  const warned = independent(file.checks).filter((check) => check.verdict === "warn");
  const words = (check: CheckResult) => `${findingOf(check)}${check.critical ? " (critical)" : ""}`;
  const lines =
    warned.length > 0 ? [...wrap(aboutWarnings(file), layout), ...grouped(warned, words, layout)] : [];
  return section(`WARNINGS (${warned.length})`, lines, layout, "yellow");
}

/** The checks without those that another failure explains. */
function independent(checks: readonly CheckResult[]): CheckResult[] {
  const told = new Set([...consequencesOf(checks).values()].flat());
  return checks.filter((check) => !told.has(check));
}

/** Renders each undecided MUST check like a failure, since it keeps the run from a verdict, and each other on one line. */
export function inconclusive(file: Verdicts, layout: Layout): string[] {
  const blocked = blockedCounts(file.checks);
  const open = independent(file.checks).filter(
    (check) => check.verdict === "inconclusive" && !isBlocked(check),
  );
  const isMust = ({ level }: CheckResult) => level === "MUST";
  const must = groupBy(open.filter(isMust), ({ message }) => message);
  const blocks = [...must.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const same = others.length > 0 ? wrap(`The same holds for ${idsOf(others, layout)}.`, layout) : [];
    return ["", ...block(first, blocked.get(first.id) ?? 0, layout), ...same.map((line) => `  ${line}`)];
  });
  const rest = open.filter((check) => !isMust(check));
  const lines = grouped(rest, (check) => reasonOf(check, blocked.get(check.id)), layout);
  const gap = blocks.length > 0 && lines.length > 0 ? [""] : [];
  return section(`INCONCLUSIVE (${open.length})`, [...blocks, ...gap, ...lines], layout, "yellow");
}

function reasonOf(check: CheckResult, blocks: number | undefined): string {
  const others = blocks ? `blocks ${plural(blocks, "other check")}; ` : "";
  return `${others}${check.message ?? openReason(check)}`;
}

/** Names checks; in a terminal only the first. */
function idsOf(checks: readonly CheckResult[], { whole }: Layout): string {
  const ids = checks.map(({ id }) => id);
  if (whole || ids.length <= MANY) return ids.join(", ");
  return `${ids.slice(0, MANY).join(", ")} and ${ids.length - MANY} more in verdicts.json`;
}

/** Renders the checks that were not tested or passed without proof, grouped by what would complete them. */
export function notTested(file: Verdicts, layout: Layout): string[] {
  const isShown = (check: CheckResult) =>
    !isBlocked(check) && (check.verdict === "fail" || check.verdict === "inconclusive");
  const shown = new Set(file.checks.filter(isShown).map(({ id }) => id));
  const roots = [...blockedCounts(file.checks)].filter(([id]) => !shown.has(id));
  const groups = openGroups(file.checks);
  const open = groups.flatMap(({ checks }) => checks);
  const lines = [
    ...groups.map(({ reason, checks }) => `${reason}: ${groupInWords(checks)}`),
    ...roots.map(([id, count]) => `blocked by ${id} (${plural(count, "check")})`),
  ];
  const isOverBudget = open.some(({ reason, variables = [] }) => reason === "budget" && variables.length > 0);
  const { needed } = file.money;
  const caps = isOverBudget && needed ? [capsAdvice(needed)] : [];
  const weak = open.some(({ verdict }) => verdict === "pass-weak") ? [WITHOUT_PROOF] : [];
  const wrapped = [...lines, ...caps, ...weak].flatMap((line) => wrap(line, layout));
  return section(`NOT TESTED, OR PASSED WITHOUT PROOF (${open.length})`, wrapped, layout);
}

/** Shows a reason that many checks share once, and first; each other check has a line of its own. */
function grouped(checks: readonly CheckResult[], reasonOf: (check: CheckResult) => string, layout: Layout) {
  const groups = [...groupBy(checks, reasonOf)].filter(([, { length }]) => length >= MANY);
  const shared = new Set(groups.flatMap(([, some]) => some));
  const single = checks.filter((check) => !shared.has(check));
  // The title says what the API does if the check passes, which is the opposite of what it did.
  const lines = single.map((check) => `${check.id}: ${reasonOf(check)}`);
  return [
    ...groups
      .toSorted(([, one], [, other]) => other.length - one.length)
      .flatMap(([reason, some]) => wrap(`${fitted(reason, LONGEST, layout)}: ${groupInWords(some)}`, layout)),
    ...oneLineEach(lines, layout),
  ];
}
