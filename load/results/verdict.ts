import { firstWithReason } from "../../reports/verdicts/outcome.ts";
import { plural, present } from "../../reports/wording.ts";
import { isSent } from "../k6/responses.ts";
import { countOf, latencyNote, outcomesIn } from "./measurements.ts";
import {
  type Decision,
  FEWEST,
  type Invariant,
  type LoadResult,
  type LoadRun,
  type Summary,
} from "./result.ts";
import { lateness, validityOf } from "./validity.ts";

/** What a load run found. */
export interface Found extends Pick<LoadResult, "invariants" | "problems" | "reconciled" | "money"> {
  readonly measured: Summary | undefined;
  readonly gaps: readonly string[];
  readonly interrupted: boolean;
  /** Why the load was stopped before its end, if it was: then it cannot pass. */
  readonly stopped?: string | undefined;
}

/** Judges a finished run and returns the content of `result.json`. */
export function resultOf(run: LoadRun, found: Found): LoadResult {
  const { gaps: _, interrupted: __, measured, stopped, ...others } = found;
  return {
    ...run,
    ...others,
    schema: "payments-conformance/load@3",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    validity: validityOf(measured),
    ...(stopped !== undefined && { stopped }),
    ...verdictOf(run, found),
  };
}

/**
 * Decides by the worst finding: 70 the suite failed, 130 interrupted, 1 broken invariant or too many failed requests, 4
 * undecided, 1 another broken threshold, 0 passed. A wrong command line (2) and a failed preflight (3) end a run before it
 * has findings.
 */
function verdictOf({ iterations: planned }: LoadRun, found: Found): Decision {
  const { measured, invariants, problems, gaps, interrupted, stopped } = found;
  const { thresholds = [] } = measured ?? {};
  const inState = (state: Invariant["state"]) =>
    invariants.filter((one) => one.state === state).map(({ id, title, text }) => `${id} (${title}): ${text}`);
  const { why, remedy } = lateness(measured);
  const isLate = validityOf(measured) === "generator-limited";
  const { iterations = planned, dropped = 0 } = measured ?? {};
  const undecided = present(
    // A machine that cannot send is the reason of what follows.
    isLate && `${why}: ${remedy}`,
    ...inState("undecided"),
    iterations + dropped < planned && `k6 started only ${iterations} of ${planned} requests`,
    ...gaps,
    !measured && "k6 sent nothing",
    ...usedUpIn(measured),
  );
  const failed = thresholds.filter(({ ok, kind }) => !ok && kind === "failures");
  const missed = undecided.length > 0 ? [] : thresholds.filter(({ ok, kind }) => !ok && kind !== "failures");
  const texts = [...failed, ...missed].map(({ text }) => text);
  const tooBad = broken("threshold", texts);
  // What stopped the load is a reason of every end that has one.
  const stop = stopped === undefined ? [] : [`the load was stopped: ${stopped}`];
  const withStop = (...reasons: readonly string[]) => (reasons.length > 0 ? [...reasons, ...stop] : []);
  const [error] = problems;
  return firstWithReason<Decision["outcome"], Decision["exitCode"]>(
    ["error", 70, error !== undefined && withStop(error)],
    ["interrupted", 130, interrupted && withStop("the run was interrupted")],
    ["failed", 1, withStop(...broken("invariant", inState("broken")))],
    // Failed requests are the target's, whatever else the run leaves undecided.
    ["failed", 1, failed.length > 0 && withStop(...tooBad)],
    // What stopped the load explains the rest.
    ["failed", 1, stop.length > 0 && [...stop, ...undecided]],
    ["undecided", 4, undecided],
    ["failed", 1, missed.length > 0 && tooBad],
    ["passed", 0, present("no invariant is broken", measured && judgedIn(measured))],
  );
}

/** Says of which operations the API rejected every request from some moment on. */
const usedUpIn = (measured: Summary | undefined) =>
  Object.entries(measured?.operations ?? {}).flatMap(([name, { outcomes, rejectedToEnd = 0 }]) =>
    (outcomes.accepted ?? 0) > 0 && rejectedToEnd >= FEWEST
      ? `after it had accepted some, the API rejected each of the last ${rejectedToEnd} valid ${name} requests: if a balance or a limit of the test account is used up, raise it and repeat the run; if not, the API did not recover`
      : [],
  );

const broken = (what: string, found: readonly string[]) =>
  found.length > 0 ? [`broken ${what}${found.length > 1 ? "s" : ""}: ${found.join("; ")}`] : [];

/** With fewer requests, a run says how much it proves. */
const MANY = 1000;
/** What happens once in `n` requests stays unseen in three times as many with a probability of 5 %. */
const FOR_ONE = 3;

/** Says what a run of few requests may have missed. */
function smallness(measured: Summary) {
  const requests = countOf(outcomesIn(measured), isSent);
  if (requests >= MANY) return false;
  const share = Math.max(1, Math.floor(requests / FOR_ONE));
  return `${plural(requests, "request")} prove little: what goes wrong less often than once in ${share} may not have shown`;
}

/** Says how many limits a run kept that kept all of them, and what was not judged. */
function judgedIn(measured: Summary): string {
  const { length } = measured.thresholds.filter(({ isJudged = true }) => isJudged);
  const kept = `${plural(length, "limit")} of failures, drops and latencies kept`;
  return present(length > 0 && kept, ...latencyNote(measured), smallness(measured)).join("; ");
}
