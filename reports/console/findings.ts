import { contract } from "../../schemas/contract.ts";
import { groupBy } from "../text/grouping.ts";
import { plural, printable, shorten } from "../text/wording.ts";
import { blockedCounts, isBlocked, openGroups } from "../verdicts/open.ts";
import type { CheckResult, VerdictsFile } from "../verdicts/verdict.ts";
import type { Paint } from "./paint.ts";

export interface Room {
  readonly width: number;
  readonly paint: Paint;
  /** The folder of the run, put before the names of evidence files so that they can be opened. */
  readonly directory?: string;
}

/** Of what may come by the hundred, so many are printed; all of it is in `verdicts.json`. */
const MOST = 20;
/** From so many checks on, a reason that they share is told once. */
const MANY = 4;
/** Longer quotations of an answer are cut; the evidence holds all of it. */
const LONGEST = 400;

/** Renders every failure with what was seen, what was expected, its evidence and the command that repeats it. */
export function failures(file: VerdictsFile, room: Room): string[] {
  const failed = file.checks.filter((check) => check.verdict === "fail");
  const blocked = blockedCounts(file.checks);
  return section(
    `FAILED (${failed.length})`,
    failed.flatMap((check) => ["", ...failure(check, blocked.get(check.id) ?? 0, room)]),
    room.paint,
    "red",
  );
}

function failure(check: CheckResult, blocks: number, { paint, directory }: Room): string[] {
  const { method, route } = contract[check.operation];
  const files = check.exchanges.map((name) => (directory ? `${directory}/${name}` : name));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["operation", `${method} ${route}`],
    ["actual", check.actual ?? check.message],
    ["expected", check.expected],
    ["answer", answerIn(check)],
    ["evidence", files.length > 0 ? files.join(", ") : undefined],
    ["blocks", blocks > 0 ? `${plural(blocks, "other check")} could not run` : undefined],
  ];
  const basis = [check.level, ...check.requirements, ...(check.source ? [check.source] : [])].join(" ");
  return [
    `  ${paint("bold", check.id)}  ${paint("faint", basis)}`,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`    ${name.padEnd(9)}  ${shorten(printable(value), LONGEST)}`],
    ),
    ...command(check),
  ];
}

/** A multipart body has line breaks, without which the command would not repeat it. */
function command({ curl }: CheckResult): string[] {
  const [first, ...rest] = curl?.split(/\r?\n/).map(printable) ?? [];
  return first === undefined ? [] : [`    ${first}`, ...rest];
}

/** A message ends in `expected ...; body: ...`: the body is what actual and expected do not tell. */
function answerIn({ message, expected }: CheckResult): string | undefined {
  return expected === undefined ? undefined : message?.split(`${expected}; body: `)[1];
}

/** Renders what besides the checks went wrong, and the checks that are our own fault. */
export function problems(file: VerdictsFile, room: Room): string[] {
  const broken = file.checks.filter((check) => check.verdict === "suite-error");
  const lines = [
    ...file.problems,
    ...broken.map((check) => `${check.id}: ${check.message ?? "suite error"}`),
  ];
  return section(`PROBLEMS (${lines.length})`, some(lines, room), room.paint, "red");
}

/** Renders each warning on one line. */
export function warnings(file: VerdictsFile, room: Room): string[] {
  const warned = file.checks.filter((check) => check.verdict === "warn");
  const lines = together(warned, (check) => check.message ?? check.actual ?? "warned", room);
  return section(`WARNINGS (${warned.length})`, lines, room.paint, "yellow");
}

/** Renders what was tried and came to no verdict, each with the reason. */
export function inconclusive(file: VerdictsFile, room: Room): string[] {
  const blocked = blockedCounts(file.checks);
  const open = file.checks.filter((check) => check.verdict === "inconclusive" && !isBlocked(check));
  const reasonOf = (check: CheckResult) => {
    const blocks = blocked.get(check.id);
    const others = blocks ? `blocks ${plural(blocks, "other check")}; ` : "";
    return `${others}${check.message ?? check.reason ?? "no reason given"}`;
  };
  const lines = together(open, reasonOf, room);
  return section(`INCONCLUSIVE (${open.length})`, lines, room.paint, "yellow");
}

/** Renders what was not tested or is weak, grouped by what would change it. */
export function notTested(file: VerdictsFile, room: Room): string[] {
  const shown = new Set(
    file.checks.flatMap((check) =>
      !isBlocked(check) && (check.verdict === "fail" || check.verdict === "inconclusive") ? [check.id] : [],
    ),
  );
  const roots = [...blockedCounts(file.checks)].filter(([id]) => !shown.has(id));
  const groups = openGroups(file.checks);
  const total = groups.reduce((sum, group) => sum + group.checks.length, 0);
  const lines = [
    ...groups.map((group) => `${group.what}  ${members(group.checks)}`),
    ...roots.map(([id, count]) => `blocked by ${id}  ${plural(count, "check")}`),
  ];
  return section(
    `NOT TESTED OR WEAK (${total})`,
    lines.flatMap((line) => wrap(line, room.width)),
    room.paint,
  );
}

function members(checks: readonly CheckResult[]): string {
  const weak = checks.filter((check) => check.verdict === "pass-weak").length;
  const names = [...new Set(checks.map((check) => check.operation))].join(", ");
  return `${plural(checks.length, "check")}${weak > 0 ? ` (${weak} weak)` : ""}: ${names}`;
}

/** What many checks came to for one and the same reason is told once, and first; the others have a line each. */
function together(
  checks: readonly CheckResult[],
  reasonOf: (check: CheckResult) => string,
  room: Room,
): string[] {
  const groups = [...groupBy(checks, reasonOf)].filter(([, { length }]) => length >= MANY);
  const told = new Set(groups.flatMap(([, members]) => members));
  const single = checks.filter((check) => !told.has(check));
  return [
    ...groups
      .toSorted(([, one], [, other]) => other.length - one.length)
      .flatMap(([reason, some]) => wrap(`${shorten(reason, LONGEST)}  ${members(some)}`, room.width)),
    ...some(
      single.map((check) => `${check.id}: ${reasonOf(check)}`),
      room,
    ),
  ];
}

function section(
  title: string,
  lines: readonly string[],
  paint: Paint,
  style: Parameters<Paint>[0] = "bold",
): string[] {
  return lines.length > 0 ? ["", paint(style, title), ...lines] : [];
}

function some(lines: readonly string[], { width }: Room): string[] {
  const shown = lines.slice(0, MOST).map((line) => `  ${shorten(printable(line), width - 2)}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `  ${rest} more in verdicts.json`] : shown;
}

function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = " ";
  for (const word of printable(line).split(" ")) {
    if (current.trim() !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = "     ";
    }
    current = `${current} ${word}`;
  }
  return [...lines, current];
}
