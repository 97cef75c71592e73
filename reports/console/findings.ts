import { groupBy } from "../text/grouping.ts";
import { plural } from "../text/wording.ts";
import { aboutWarnings } from "../verdicts/answers.ts";
import { consequencesOf } from "../verdicts/causes.ts";
import { findingOf } from "../verdicts/headline.ts";
import {
  blockedCounts,
  groupInWords,
  isBlocked,
  openGroups,
  openReason,
  WITHOUT_PROOF,
} from "../verdicts/open.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { block } from "./failures.ts";
import { fitted, oneLineEach, type Room, section, wrap } from "./layout.ts";
import { capsAdvice } from "./money.ts";

/** From this many checks on, a reason that they share is shown once. */
const MANY = 4;
/** A shared reason longer than this is cut; `verdicts.json` has all of it. */
const LONGEST = 400;

/** Renders the problems of the run, and the checks that broke through a fault of the suite. */
export function problems(file: Verdicts, room: Room): string[] {
  const broken = file.checks.filter((check) => check.verdict === "suite-error");
  const lines = [
    ...file.problems,
    ...broken.map((check) => `${check.id}: ${check.message ?? "the suite broke"}`),
  ];
  return section(`PROBLEMS (${lines.length})`, oneLineEach(lines, room), room, "red");
}

export function warnings(file: Verdicts, room: Room): string[] {
  const warned = independent(file.checks).filter((check) => check.verdict === "warn");
  const words = (check: CheckResult) => `${findingOf(check)}${check.critical ? " (critical)" : ""}`;
  const lines =
    warned.length > 0 ? [...wrap(aboutWarnings(file), room), ...grouped(warned, words, room)] : [];
  return section(`WARNINGS (${warned.length})`, lines, room, "yellow");
}

/** The checks without those that another failure explains. */
function independent(checks: readonly CheckResult[]): CheckResult[] {
  const told = new Set([...consequencesOf(checks).values()].flat());
  return checks.filter((check) => !told.has(check));
}

/** Renders each undecided MUST check like a failure, since it keeps the run from a verdict, and each other on one line. */
export function inconclusive(file: Verdicts, room: Room): string[] {
  const blocked = blockedCounts(file.checks);
  const open = independent(file.checks).filter(
    (check) => check.verdict === "inconclusive" && !isBlocked(check),
  );
  const isMust = ({ level }: CheckResult) => level === "MUST";
  const must = groupBy(open.filter(isMust), ({ message }) => message);
  const blocks = [...must.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const same = others.length > 0 ? wrap(`The same holds for ${idsOf(others, room)}.`, room) : [];
    return ["", ...block(first, blocked.get(first.id) ?? 0, room), ...same.map((line) => `  ${line}`)];
  });
  const rest = open.filter((check) => !isMust(check));
  const lines = grouped(rest, (check) => reasonOf(check, blocked.get(check.id)), room);
  const gap = blocks.length > 0 && lines.length > 0 ? [""] : [];
  return section(`INCONCLUSIVE (${open.length})`, [...blocks, ...gap, ...lines], room, "yellow");
}

function reasonOf(check: CheckResult, blocks: number | undefined): string {
  const others = blocks ? `blocks ${plural(blocks, "other check")}; ` : "";
  return `${others}${check.message ?? openReason(check)}`;
}

/** Names checks; in a terminal only the first. */
function idsOf(checks: readonly CheckResult[], { whole }: Room): string {
  const ids = checks.map(({ id }) => id);
  if (whole || ids.length <= MANY) return ids.join(", ");
  return `${ids.slice(0, MANY).join(", ")} and ${ids.length - MANY} more in verdicts.json`;
}

/** Renders the checks that were not tested or passed without proof, grouped by what would complete them. */
export function notTested(file: Verdicts, room: Room): string[] {
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
  const wrapped = [...lines, ...caps, ...weak].flatMap((line) => wrap(line, room));
  return section(`NOT TESTED, OR PASSED WITHOUT PROOF (${open.length})`, wrapped, room);
}

/** Shows a reason that many checks share once, and first; each other check has a line of its own. */
function grouped(checks: readonly CheckResult[], reasonOf: (check: CheckResult) => string, room: Room) {
  const groups = [...groupBy(checks, reasonOf)].filter(([, { length }]) => length >= MANY);
  const shared = new Set(groups.flatMap(([, some]) => some));
  const single = checks.filter((check) => !shared.has(check));
  // The title says what the API does if the check passes, which is the opposite of what it did.
  const lines = single.map((check) => `${check.id}: ${reasonOf(check)}`);
  return [
    ...groups
      .toSorted(([, one], [, other]) => other.length - one.length)
      .flatMap(([reason, some]) => wrap(`${fitted(reason, LONGEST, room)}: ${groupInWords(some)}`, room)),
    ...oneLineEach(lines, room),
  ];
}
