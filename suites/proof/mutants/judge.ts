import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import { type CheckResult, isUndecided, type Observation } from "../../../reports/verdicts/verdict.ts";
import { isPossible, type Kills } from "./kills.ts";
import type { Findings } from "./runner.ts";

/** The percentage of the MUST checks that a conformant deployment must at least let a run decide. */
const LEAST_DECIDED = 95;

/** How many open checks a complaint names. */
const MOST_NAMED = 10;

/** The result of one mutant; `complaints` is empty if everything is as it must be. */
export interface Judged {
  /** Checks that turned red: a MUST that failed, a SHOULD that warned. */
  readonly red: readonly string[];
  readonly complaints: readonly string[];
  /** Only of a conformant sandbox: the percentage of the MUST checks that passed or failed. */
  readonly decided?: number;
  /** Only of a conformant sandbox: a run decides too few of them. */
  readonly leavesUndecided?: boolean;
  /** A check that must turn red stayed quiet. */
  readonly isMissed?: boolean;
}

/** Only these catch a fault: a suite error, an inconclusive or a weak check does not. */
const isRed = ({ verdict }: CheckResult) => verdict === "fail" || verdict === "warn";

const redIn = ({ results }: Findings) =>
  results
    .filter(isRed)
    .map(({ id }) => id)
    .toSorted();

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

/**
 * A conformant sandbox: no check fails, and the suite does not break. If there is a record of it, only the checks that it
 * names warn, and a run decides nearly all MUST checks unless it says otherwise.
 */
export function judgeConformant(findings: Findings, kills?: Kills): Judged {
  const red = redIn(findings);
  const must = findings.results.filter(({ level }) => level === "MUST");
  const open = must.filter(isUndecided).map(({ id }) => id);
  // Rounded down, so that 100 means all of them.
  const decided =
    must.length === 0 ? 100 : Math.floor(((must.length - open.length) / must.length) * 1000) / 10;
  const leavesUndecided = decided < LEAST_DECIDED;
  const named = open.slice(0, MOST_NAMED).join(", ");
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : "";
  const quiet = kills?.certain.filter((id) => !red.includes(id)) ?? [];
  const complaints = [
    ...findings.results.flatMap(({ id, verdict, message = "" }) =>
      verdict === "fail" ? [`${id} fails: ${message}`] : [],
    ),
    ...broken(findings),
    ...quiet.map((id) => `draws no warning from ${id}: ${verdictOf(findings, id)}`),
    ...offRecord(red, kills).map(
      (id) => `draws a warning from ${id}, which is not on record: ${verdictOf(findings, id)}`,
    ),
    ...(kills && leavesUndecided && !kills.leavesUndecided
      ? [`lets a run decide only ${decided} % of the MUST checks: ${named}${more} stay open`]
      : []),
  ];
  return { red, complaints, decided, leavesUndecided };
}

/** The unchanged sandbox: no check warns either, every MUST check passes, and a second run observes the same. */
export function judgeBaseline(first: Findings, second: Findings): Judged {
  const judged = judgeConformant(first);
  const unsound = first.results.filter(
    ({ level, verdict }) =>
      verdict === "warn" || (level === "MUST" && verdict !== "pass" && verdict !== "fail"),
  );
  return {
    ...judged,
    complaints: [
      ...judged.complaints,
      ...unsound.map(({ id, level }) => `${level} ${id} is ${verdictOf(first, id)}`),
      ...changedItems(first.observations, second.observations).map(
        (item) => `a second run observes ${item} in other words`,
      ),
    ],
  };
}

/** The red checks that the record, if there is one, does not name. */
const offRecord = (red: readonly string[], kills: Kills | undefined, expected: readonly string[] = []) =>
  red.filter((id) => kills && ![...kills.certain, ...expected].includes(id) && !isPossible(kills, id));

const broken = ({ results, problems }: Findings) => [
  ...results.flatMap(({ id, verdict, message = "" }) =>
    verdict === "suite-error" ? [`${id} broke: ${message}`] : [],
  ),
  ...problems,
];

/** What a run said of a check. */
function verdictOf({ results }: Findings, id: string): string {
  const result = results.find((candidate) => candidate.id === id);
  if (!result) return "there is no result";
  return result.message ? `${result.verdict}, ${result.message}` : result.verdict;
}

/** The item of the observations that count responses, whose number varies from run to run. */
const COUNTS = "G19";

/** Open items on which the observations differ. */
export function changedItems(before: readonly Observation[], after: readonly Observation[]): string[] {
  const sentence = ({ item, operation, text }: Observation) => JSON.stringify([item, operation, text]);
  const [old, fresh] = [new Set(before.map(sentence)), new Set(after.map(sentence))];
  const changed = [...before, ...after].filter(
    (one) => one.item !== COUNTS && !(old.has(sentence(one)) && fresh.has(sentence(one))),
  );
  return [...new Set(changed.map(({ item }) => item))].toSorted();
}
