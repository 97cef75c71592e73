import type { Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import { type CheckResult, isUndecided, type Observation } from "../../reports/verdicts/verdict.ts";
import { glob } from "../runner/glob.ts";
import type { Findings } from "./runner.ts";

/** A fault that shows more rarely than in one of this many requests may be missed. */
export const SEEN_IN = 8;

/** The percentage of the MUST checks that a conformant deployment must at least let a run decide. */
export const LEAST_DECIDED = 95;

/** How often a fault shows, and whether every check that it names turned red. */
export interface Sight {
  readonly visibleIn: number;
  /** That one request of the operation shows the fault. */
  readonly probability: number;
  readonly isCaught: boolean;
}

/** The result of one mutant; `complaints` is empty if everything is as it must be. */
export interface Judged {
  /** Checks that turned red: a MUST that failed, a SHOULD that warned. */
  readonly red: readonly string[];
  /** Checks that decided nothing. */
  readonly open: readonly string[];
  readonly complaints: readonly string[];
  /** Only of a conformant sandbox: the percentage of the MUST checks that passed or failed. */
  readonly decided?: number;
  /** Only of a fault that some requests do not show. */
  readonly sight?: Sight;
}

/** Says whether a fault shows too rarely to demand that a run catches it. */
export const isRare = ({ visibleIn = 1 }: Pick<Fault, "visibleIn">) => visibleIn > SEEN_IN;

/** How many open checks a complaint names. */
const MOST_NAMED = 10;

/** Only these catch a fault: a suite error, an inconclusive or a weak check does not. */
export const isRed = ({ verdict }: CheckResult) => verdict === "fail" || verdict === "warn";

/** A conformant sandbox: no check fails, and the suite does not break. */
export function judgeConformant(findings: Findings): Judged {
  const failed = findings.results.filter(({ verdict }) => verdict === "fail");
  return {
    ...summarize(findings),
    decided: decidedBy(findings),
    complaints: [...failed.map(({ id, message }) => `${id} fails: ${message ?? ""}`), ...broken(findings)],
  };
}

/** A single variation: the run must also decide nearly all MUST checks, unless the variation declares why it cannot. */
export function judgeVariation({ leavesOpen }: Pick<Variation, "leavesOpen">, findings: Findings): Judged {
  const judged = judgeConformant(findings);
  const decided = decidedBy(findings);
  if (decided >= LEAST_DECIDED || leavesOpen !== undefined) return judged;
  const open = findings.results.filter((result) => result.level === "MUST" && isUndecided(result));
  const named = open.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : "";
  const complaint = `lets a run decide only ${decided} % of the MUST checks: ${named.join(", ")}${more} stay open`;
  return { ...judged, complaints: [...judged.complaints, complaint] };
}

/** The unchanged sandbox: no check warns either, every MUST check passes, and a second run observes the same. */
export function judgeBaseline(first: Findings, second: Findings): Judged {
  const judged = judgeConformant(first);
  const warned = first.results.filter(({ verdict }) => verdict === "warn");
  const open = first.results.filter(
    ({ level, verdict }) => level === "MUST" && verdict !== "pass" && verdict !== "fail",
  );
  return {
    ...judged,
    complaints: [
      ...judged.complaints,
      ...warned.map(({ id, message }) => `${id} warns: ${message ?? ""}`),
      ...open.map(({ id, verdict, message }) => `${id} is a MUST check, but ${verdict}: ${message ?? ""}`),
      ...changedItems(first.observations, second.observations).map(
        (item) => `a second run observes ${item} in other words`,
      ),
    ],
  };
}

/**
 * A faulty sandbox: every check that the fault names turns red, unless the fault is rare, and no check that the fault
 * does not explain. `named`
 * are the checks that a mix of variations does not blind; the checks in `red` are red under the mix without the fault.
 */
export function judgeFaulty(
  fault: Fault,
  findings: Findings,
  named: readonly string[],
  red: readonly CheckResult[] = [],
): Judged {
  const summary = summarize(findings);
  const { visibleIn } = fault;
  const missed = named.filter((id) => !summary.red.includes(id));
  const explained = [
    ...fault.caughtBy.map(glob),
    ...Object.keys(fault.spreads ?? {}).map(glob),
    // These judge every recorded answer, so they see what any other check of the operation sees.
    ...["answers/*", "*-unique", "references-differ"].map((name) => glob(`${fault.operation}/${name}`)),
    ...red.map(
      ({ id }) =>
        (other: string) =>
          other === id,
    ),
  ];
  const stray = summary.red.filter((id) => !explained.some((matches) => matches(id)));
  return {
    ...summary,
    complaints: [
      ...(isRare(fault) ? [] : missed).map((id) => `is not caught by ${id}: ${verdictOf(findings, id)}`),
      ...stray.map(
        (id) => `turns ${id} red, which it neither names nor explains: ${verdictOf(findings, id)}`,
      ),
      ...broken(findings),
    ],
    ...(visibleIn && { sight: { visibleIn, probability: 1 / visibleIn, isCaught: missed.length === 0 } }),
  };
}

/** A sandbox with a bad practice: every named check warns about it. */
export function judgeBadPractice(warning: readonly string[], findings: Findings): Judged {
  const summary = summarize(findings);
  const silent = warning.filter((id) => !summary.red.includes(id));
  return {
    ...summary,
    complaints: [
      ...silent.map((id) => `does not turn red ${id}: ${verdictOf(findings, id)}`),
      ...broken(findings),
    ],
  };
}

function summarize({ results }: Findings): Pick<Judged, "red" | "open"> {
  const ids = (those: readonly CheckResult[]) => those.map(({ id }) => id).toSorted();
  return { red: ids(results.filter(isRed)), open: ids(results.filter(isUndecided)) };
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
export function verdictOf({ results }: Findings, id: string): string {
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
