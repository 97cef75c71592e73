import { contract } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { pasteable } from "../verdicts/commands.ts";
import { aboutWarnings, findingOf } from "../verdicts/headline.ts";
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
import { type CheckResult, hasVerdict } from "../verdicts/verdict.ts";
import { firstThree } from "../verdicts/words.ts";
import { plural, printable } from "../wording.ts";
import { fitted, type Layout, oneLineEach, section, wrap } from "./layout.ts";

/** Longer quotations of a response and longer reasons are cut; the evidence and `verdicts.json` have all of them. */
const LONGEST = 400;
/** A failure states this many of its rules in words. */
const MOST = 3;
/** From this many checks on, a reason that they share is shown once. */
const MANY = 4;

/** Renders what a run found: failures, warnings, and what it did not decide. */
export function findings(file: Verdicts, layout: Layout): string[] {
  const { checks } = file;
  const consequences = consequencesOf(checks);
  const explained = new Set([...consequences.values()].flat());
  const having = (wanted: CheckResult["verdict"]) =>
    checks.filter((check) => check.verdict === wanted && !explained.has(check));
  const blocked = blockedCounts(checks);
  const blocksOf = (some: readonly CheckResult[]) =>
    some.reduce((sum, { id }) => sum + (blocked.get(id) ?? 0), 0);

  const failures = having("fail").flatMap((check) => {
    const following = consequences.get(check.id) ?? [];
    return ["", ...block(check, blocksOf([check, ...following]), layout, following)];
  });
  const failed = checks.filter(hasVerdict("fail")).length;

  const warned = having("warn");
  const warnings = grouped(warned, (one) => `${findingOf(one)}${one.critical ? " (critical)" : ""}`, layout);
  const aboutAll = warned.length > 0 ? wrap(aboutWarnings(file), layout) : [];

  // An undecided MUST check is shown like a failure, since it keeps the run from a verdict.
  const undecided = having("inconclusive").filter((check) => !isBlocked(check));
  const must = groupBy(
    undecided.filter(({ level }) => level === "MUST"),
    ({ message }) => message,
  );
  const blocks = [...must.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const same = others.length > 0 ? wrap(`The same holds for ${idsOf(others, layout)}.`, layout) : [];
    return ["", ...block(first, blocksOf([first]), layout), ...same.map((line) => `  ${line}`)];
  });
  const others = undecided.filter(({ level }) => level !== "MUST");
  const reasonOf = (check: CheckResult) => {
    const count = blocksOf([check]);
    return `${count > 0 ? `blocks ${plural(count, "other check")}; ` : ""}${check.message ?? openReason(check)}`;
  };
  const lines = grouped(others, reasonOf, layout);
  const gap = blocks.length > 0 && lines.length > 0 ? [""] : [];
  return [
    ...section(`FAILED (${failed})`, failures, layout, "red"),
    ...section(`WARNINGS (${warned.length})`, [...aboutAll, ...warnings], layout, "yellow"),
    ...section(`INCONCLUSIVE (${undecided.length})`, [...blocks, ...gap, ...lines], layout, "yellow"),
    ...notTested(file, layout),
  ];
}

/** Renders everything about one finding; `blocks` is the number of checks that it keeps from running, `following` what else it explains. */
function block(check: CheckResult, blocks: number, layout: Layout, following: readonly CheckResult[] = []) {
  const { method, route } = contract[check.operation];
  const rules = rulesOf(check);
  const others = rules.slice(MOST).map((rule) => rule.replace(/:? .*/, ""));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["operation", `${method} ${route}`],
    ["checks that", `the API ${check.title}`],
    ["actual", check.actual ?? check.message],
    ["expected", check.verdict === "inconclusive" ? undefined : check.expected],
    ...rules.slice(0, MOST).map((rule) => [leadToRules(check), rule] as const),
    ["", others.length > 0 ? `also ${others.join(", ")}` : undefined],
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
  const warned = following.filter(hasVerdict("warn")).length;
  const open = following.filter(hasVerdict("inconclusive")).length;
  const parts = [
    ...following.filter(hasVerdict("fail")).map(({ id }) => `the failure of ${id}`),
    ...(warned > 0 ? [plural(warned, "warning")] : []),
    ...(open > 0 ? [`${plural(open, "check")} that could not decide`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

function evidence({ exchanges }: CheckResult, { directory }: Layout): string | undefined {
  const files = exchanges.map((name) => (directory ? `${directory}/${name}` : name));
  return firstThree(files, ", ", (count) => `${count} more in verdicts.json`) || undefined;
}

/** Names checks; in a terminal only the first. */
function idsOf(checks: readonly CheckResult[], { whole }: Layout): string {
  const ids = checks.map(({ id }) => id);
  if (whole || ids.length <= MANY) return ids.join(", ");
  return `${ids.slice(0, MANY).join(", ")} and ${ids.length - MANY} more in verdicts.json`;
}

/** Renders the checks that were not tested or passed without proof, grouped by what would complete them. */
function notTested({ checks, money: { needed } }: Verdicts, layout: Layout): string[] {
  const isShown = (check: CheckResult) =>
    !isBlocked(check) && (check.verdict === "fail" || check.verdict === "inconclusive");
  const shown = new Set(checks.filter(isShown).map(({ id }) => id));
  const roots = [...blockedCounts(checks)].filter(([id]) => !shown.has(id));
  const groups = openGroups(checks);
  const open = groups.flatMap((group) => group.checks);
  const isOverBudget = open.some(({ reason, variables = [] }) => reason === "budget" && variables.length > 0);
  const lines = [
    ...groups.map((group) => `${group.reason}: ${groupInWords(group.checks)}`),
    ...roots.map(([id, count]) => `blocked by ${id} (${plural(count, "check")})`),
    ...(isOverBudget && needed ? [capsAdvice(needed)] : []),
    ...(open.some(hasVerdict("pass-weak")) ? [WITHOUT_PROOF] : []),
  ];
  const wrapped = lines.flatMap((line) => wrap(line, layout));
  return section(`NOT TESTED, OR PASSED WITHOUT PROOF (${open.length})`, wrapped, layout);
}

/** Shows a reason that many checks share once, and first; each other check has a line of its own. */
function grouped(checks: readonly CheckResult[], reasonOf: (check: CheckResult) => string, layout: Layout) {
  const groups = [...groupBy(checks, reasonOf)];
  const shared = groups.filter(([, { length }]) => length >= MANY);
  const sorted = shared.toSorted(([, one], [, other]) => other.length - one.length);
  const single = checks.filter((check) => !shared.some(([, some]) => some.includes(check)));
  return [
    ...sorted.flatMap(([reason, some]) =>
      wrap(`${fitted(reason, LONGEST, layout)}: ${groupInWords(some)}`, layout),
    ),
    // The title says what the API does if the check passes, which is the opposite of what it did.
    ...oneLineEach(
      single.map((check) => `${check.id}: ${reasonOf(check)}`),
      layout,
    ),
  ];
}
