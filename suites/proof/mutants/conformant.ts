import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import {
  type CheckResult,
  isCriticalFinding,
  isUndecided,
  type Observation,
} from "../../../reports/verdicts/verdict.ts";
import { broken, type Judged, type Kills, offRecord, redIn, verdictOf } from "./kills.ts";
import type { Findings } from "./runner.ts";

/** The percentage of the MUST checks that a conformant deployment must at least let a run decide. */
const LEAST_DECIDED = 95;

/** How many open checks a complaint names. */
const MOST_NAMED = 10;

/**
 * How to judge a sandbox with variations: no check may fail, critical ones included, and what they change on record must differ from the
 * observations of the unchanged sandbox. In a pack, one variation may hide what another one changes.
 */
export function conformant(
  variations: readonly Variation[],
  record: ReadonlyMap<string, Kills>,
  unchanged: readonly Observation[],
) {
  const recorded = variations.flatMap(({ id }) => record.get(`variation ${id}`) ?? []);
  const steady = recorded.some((one) => one.isUnsteady) ? [] : recorded;
  const promised = steady.flatMap(({ changes }) => changes);
  const kills = variations.length === 1 ? steady[0] : undefined;
  const names = variations.length > 1 ? ` (${variations.map(({ id }) => id).join(", ")})` : "";
  return (findings: Findings): Judged => {
    const judged = judgeConformant(findings, kills);
    const observed = changedItems(unchanged, findings.observations);
    const unkept = promised
      .filter((item) => !observed.includes(item))
      .map((item) => `changes ${item} on record, but the observation is the same`);
    return { ...judged, complaints: [...judged.complaints, ...unkept].map((text) => text + names) };
  };
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
    ...findings.results.flatMap((check) =>
      check.verdict === "fail" ? [`${check.id} ${brokenBy(check)}: ${check.message ?? ""}`] : [],
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

const brokenBy = (check: CheckResult) => (isCriticalFinding(check) ? "has a critical finding" : "fails");

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

/** Open items on which the observations differ. */
function changedItems(before: readonly Observation[], after: readonly Observation[]): string[] {
  const sentence = ({ item, operation, text }: Observation) => JSON.stringify([item, operation, text]);
  const [old, fresh] = [new Set(before.map(sentence)), new Set(after.map(sentence))];
  const changed = [...before, ...after].filter(
    (one) => !(old.has(sentence(one)) && fresh.has(sentence(one))),
  );
  return [...new Set(changed.map(({ item }) => item))].toSorted();
}
