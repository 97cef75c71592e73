import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { CheckResult } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { glob, type Listed } from "../../runner/checklist.ts";
import { readRecord, writeRecord } from "../records/record.ts";
import { draw } from "./draw.ts";
import type { Findings } from "./runner.ts";

// Which checks a fault meets, which of them must turn red, whether they did, and the line of the record that says so.

/** What the record says about one mutant. */
export interface Kills {
  /** The checks that turn red. */
  readonly certain: readonly string[];
  /** Checks, and patterns of checks, that may or may not turn red. */
  readonly possible: readonly string[];
  /** Only of a variation: the open items about which it changes the observation. */
  readonly changes: readonly string[];
  /** Only of a variation: a run cannot decide nearly all MUST checks. */
  readonly leavesUndecided: boolean;
  /**
   * Only of a variation: responses depend on the number of the request, or there is too little data. A run may then see
   * neither what is on record nor what others change.
   */
  readonly isUnsteady: boolean;
  /** The words of its line that are written by hand. */
  readonly marks: readonly string[];
}

/** The result of one mutant; `complaints` is empty if everything is as it must be. */
export interface Judged {
  /** Checks that turned red: a MUST that failed, a SHOULD that warned. */
  readonly red: readonly string[];
  readonly complaints: readonly string[];
  /** Only of a conformant sandbox: the percentage of the MUST checks that passed or failed. */
  readonly decided?: number;
  /** Only of a conformant sandbox: a run decides too few of them. */
  readonly leavesUndecided?: boolean;
  /** A check that must turn red stayed quiet: the campaign tries the fault once more, with the checks `alone`. */
  readonly isMissed?: boolean;
}

/** One mutant and its result. */
export interface Entry extends Judged {
  readonly kind: "baseline" | "fault" | "variation" | "pack";
  /** The id of the fault or variation; packs are numbered. */
  readonly id: string;
}

/** The checks of the suite, and what chooses among them for a fault. */
export interface Selection {
  readonly checks: readonly Listed[];
  /** Every check that reaches the fault, instead of a few. */
  readonly full: boolean;
  /** The operations that each check sends requests to; needed if `full`. */
  readonly reach: ReadonlyMap<string, ReadonlySet<OperationId | undefined>>;
  readonly seed: number;
}

/** How many checks, other than those that must catch it, a fault meets; they show what else it turns red. */
const DRAWN_CHECKS = 10;

/** Checks that look up what others sent, or send it again. */
const SETTLED = /^(?!every-operation\/).*\.(after-writes|final)\.check\.ts$/;
const MEETING = /\/auth\/other-states$/;
/** Checks that send what others judge at the end of a run. */
const SENDING = /^transfers\/[\w-]+\.check\.ts$/;
/** Checks that judge, at the end of a run, what other checks sent. */
const AT_THE_END = /\.late\.check\.ts$/;

/** Which checks a sandbox with this fault meets, and how to judge what they found. */
export function faulty(fault: Fault, kills: Kills | undefined, { checks, full, reach, seed }: Selection) {
  const demanded = demandedOf(fault, kills, full);
  const judge = (findings: Findings) => judgeFaulty(fault, findings, demanded, kills);
  if (full) {
    const met = checks.filter((check) => isReached(check, fault, reach));
    return { checks: met, alone: met, judge };
  }
  const named = withWhatTheyNeed(checks, fault, demanded, (kills?.possible.length ?? 0) > 0);
  // A disregarded practice may show in any check, so it meets no others than those on record.
  const others = fault.level === "SHOULD" ? [] : checks.filter((check) => !named.includes(check));
  const met = [...named, ...draw([seed, "checks", fault.id], others, DRAWN_CHECKS)];
  return { checks: met, alone: named, judge };
}

/**
 * The checks that must turn red: all that the record is sure of, if the fault meets every check that reaches it; else the
 * fault's own, since the others judge what further checks send.
 */
export function demandedOf(
  { caughtBy, level }: Fault,
  kills: Kills | undefined,
  meetsAll: boolean,
): readonly string[] {
  const { certain = [caughtBy], possible = [] } = kills ?? {};
  if (meetsAll || level === "SHOULD") return certain;
  return possible.includes(caughtBy) ? [] : [caughtBy];
}

/** Whether a check sends requests to an operation that the fault changes; no other check can see it. */
function isReached(
  { id, level }: Listed,
  { caughtBy, on = "every", ...fault }: Fault,
  reach: Selection["reach"],
) {
  if (fault.level === "SHOULD" && level !== "SHOULD") return id === caughtBy;
  return on === "every" || on.some((changed) => reach.get(id)?.has(changed));
}

/** These checks, and those that send what they judge: checks of transfers and repeats, or all of the operation. */
function withWhatTheyNeed(
  checks: readonly Listed[],
  { operation }: Fault,
  ids: readonly string[],
  isOfChance: boolean,
): Listed[] {
  const named = checks.filter(({ id }) => ids.includes(id));
  const settled = named
    .filter(({ id, file }) => SETTLED.test(file) || MEETING.test(id))
    .map((check) => check.operation);
  // A fault that every request shows is in the response to the ordinary request too.
  const needsAll = isOfChance && named.some(({ file }) => AT_THE_END.test(file) || SETTLED.test(file));
  return checks.filter(
    (check) =>
      named.includes(check) ||
      (SENDING.test(check.file) && settled.includes(check.operation)) ||
      (needsAll && check.operation === operation),
  );
}

/** A faulty sandbox: the demanded checks turn red, and no check that is not on record. */
export function judgeFaulty(
  { caughtBy }: Fault,
  findings: Findings,
  demanded: readonly string[],
  kills: Kills | undefined,
): Judged {
  const red = redIn(findings);
  const quiet = demanded.filter((id) => !red.includes(id));
  const complaints = [
    ...quiet.map((id) => `is not caught by ${id}: ${verdictOf(findings, id)}`),
    ...offRecord(red, kills, [caughtBy]).map(
      (id) => `turns ${id} red, which is not on record: ${verdictOf(findings, id)}`,
    ),
    ...broken(findings),
  ];
  return { red, complaints, isMissed: quiet.length > 0 };
}

/** Only these catch a fault: a suite error, an inconclusive or a weak check does not. */
const isRed = ({ verdict }: CheckResult) => verdict === "fail" || verdict === "warn";

export const redIn = ({ results }: Findings) =>
  results
    .filter(isRed)
    .map(({ id }) => id)
    .toSorted();

/** The red checks that the record, if there is one, does not name. */
export const offRecord = (
  red: readonly string[],
  kills: Kills | undefined,
  expected: readonly string[] = [],
) => red.filter((id) => kills && ![...kills.certain, ...expected].includes(id) && !isPossible(kills, id));

/** What went wrong in the suite or in the sandbox itself. */
export const broken = ({ results, problems }: Findings) => [
  ...results.flatMap(({ id, verdict, message = "" }) =>
    verdict === "suite-error" ? [`${id} broke: ${message}`] : [],
  ),
  ...problems,
];

/** What a run said of a check. */
export function verdictOf({ results }: Findings, id: string): string {
  const result = results.find((candidate) => candidate.id === id);
  if (!result) return "there is no result";
  return result.message ? `${result.verdict}, ${result.message}` : result.verdict;
}

const KILLS = new URL("../records/kills.txt", import.meta.url);

const HEAD =
  "The checks that each mutant turns red; ~ marks those that may or may not, + the open items whose observation it changes. Written by npm run mutants -- --record.";

/** Marks a check, or a pattern of checks, that chance or timing decides about. */
const CHANCE = "~";
const CHANGES = "+";
const UNDECIDED = "undecided";
const UNSTEADY = "unsteady";

/** Whether the record says that a check may turn red. */
const isPossible = ({ possible }: Kills, id: string) => possible.some((pattern) => glob(pattern)(id));

/** Reads what the line of a mutant says. */
export function parseKills(found: string): Kills {
  const words = found.split(" ").filter((word) => word !== "-");
  const marks = words.filter((word) => /^[~+]/.test(word) || word === UNDECIDED || word === UNSTEADY);
  const marked = (mark: string) =>
    marks.filter((word) => word.startsWith(mark)).map((word) => word.slice(mark.length));
  return {
    certain: words.filter((word) => !marks.includes(word)),
    possible: marked(CHANCE),
    changes: marked(CHANGES),
    leavesUndecided: marks.includes(UNDECIDED),
    isUnsteady: marks.includes(UNSTEADY),
    marks,
  };
}

/** Reads what each mutant turned red when it was recorded, by kind and id. */
export const readKills = (): ReadonlyMap<string, Kills> =>
  new Map([...readRecord(KILLS)].map(([key, found]) => [key, parseKills(found)]));

/** Records what each mutant turned red, and keeps the marks of its line; `complete` if every mutant was tried. */
export function recordKills(entries: readonly Entry[], complete: boolean) {
  const known = readKills();
  const tried = entries.filter(({ kind }) => kind !== "baseline");
  const lines = tried.map(({ kind, id, red, leavesUndecided }) => {
    const key = `${kind} ${id}`;
    const old = known.get(key) ?? parseKills("");
    const certain = red.filter((check) => old.certain.includes(check) || !isPossible(old, check));
    const undecided = leavesUndecided && !old.leavesUndecided ? [UNDECIDED] : [];
    const words = [...certain, ...old.marks, ...undecided];
    return { key, found: words.join(" ") || "-" };
  });
  writeRecord(KILLS, HEAD, lines, { complete });
}
