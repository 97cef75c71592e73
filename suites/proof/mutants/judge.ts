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
  const isOnRecord = (id: string) =>
    !kills || id === caughtBy || kills.certain.includes(id) || isPossible(kills, id);
  return {
    red,
    isMissed: quiet.length > 0,
    complaints: [
      ...quiet.map((id) => `is not caught by ${id}: ${verdictOf(findings, id)}`),
      ...red
        .filter((id) => !isOnRecord(id))
        .map((id) => `turns ${id} red, which is not on record: ${verdictOf(findings, id)}`),
      ...broken(findings),
    ],
  };
}

/** A conformant sandbox: no check fails, and the suite does not break. */
export function judgeConformant(findings: Findings): Judged {
  const failed = findings.results.filter(({ verdict }) => verdict === "fail");
  return {
    red: redIn(findings),
    decided: decidedBy(findings),
    complaints: [...failed.map(({ id, message }) => `${id} fails: ${message ?? ""}`), ...broken(findings)],
  };
}

/** A single variation: the checks that warn are on record, and a run decides nearly all MUST checks unless the record says otherwise. */
export function judgeVariation(findings: Findings, kills: Kills | undefined): Judged {
  const judged = judgeConformant(findings);
  const { red, decided = 100 } = judged;
  const open = findings.results.filter((result) => result.level === "MUST" && isUndecided(result));
  const named = open.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : "";
  const { certain = [], leavesUndecided = false } = kills ?? {};
  return {
    ...judged,
    complaints: [
      ...judged.complaints,
      ...certain
        .filter((id) => !red.includes(id))
        .map((id) => `draws no warning from ${id}: ${verdictOf(findings, id)}`),
      ...red
        .filter((id) => kills && !certain.includes(id) && !isPossible(kills, id))
        .map((id) => `draws a warning from ${id}, which is not on record: ${verdictOf(findings, id)}`),
      ...(decided >= LEAST_DECIDED || leavesUndecided
        ? []
        : [`lets a run decide only ${decided} % of the MUST checks: ${named.join(", ")}${more} stay open`]),
    ],
  };
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
      ...unsound.map(({ id, level, verdict, message }) => `${level} ${id} is ${verdict}: ${message ?? ""}`),
      ...changedItems(first.observations, second.observations).map(
        (item) => `a second run observes ${item} in other words`,
      ),
    ],
  };
}

/** Rounded down, so that 100 means all of them. */
function decidedBy({ results }: Findings): number {
  const must = results.filter(({ level }) => level === "MUST");
  const decided = must.filter((result) => !isUndecided(result)).length;
  return must.length === 0 ? 100 : Math.floor((decided / must.length) * 1000) / 10;
}

const broken = ({ results, problems }: Findings) => [
  ...results.flatMap(({ id, verdict, message }) =>
    verdict === "suite-error" ? [`${id} broke: ${message ?? ""}`] : [],
  ),
  ...problems,
];

/** What a run said of a check. */
function verdictOf({ results }: Findings, id: string): string {
  const result = results.find((candidate) => candidate.id === id);
  if (!result) return "there is no result";
  return result.message ? `${result.verdict}, ${result.message}` : result.verdict;
}

/** The item of the observations that count answers, whose number varies from run to run. */
const COUNTS = "G19";

/** Open items on which the observations differ. */
export function changedItems(before: readonly Observation[], after: readonly Observation[]): string[] {
  const sentences = (observations: readonly Observation[]) =>
    new Set(observations.map(({ item, operation, text }) => JSON.stringify([item, operation, text])));
  const [old, fresh] = [sentences(before), sentences(after)];
  const changed = [...before, ...after].filter(({ item, operation, text }) => {
    if (item === COUNTS) return false;
    const sentence = JSON.stringify([item, operation, text]);
    return !(old.has(sentence) && fresh.has(sentence));
  });
  return [...new Set(changed.map(({ item }) => item))].toSorted();
}
