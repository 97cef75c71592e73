import { firstWithReason } from "../../reports/verdicts/outcome.ts";
import { percent, plural, present } from "../../reports/wording.ts";
import { isLocal, isTechnicalFailure, type Outcome } from "../k6/responses.ts";
import { addOutcomes, countOf, failuresIn, latencyNote, outcomesIn } from "./measurements.ts";
import {
  type Decision,
  type Generator,
  type Invariant,
  type Limits,
  type LoadResult,
  type LoadRun,
  NEEDED_SAMPLES,
  type OperationSummary,
  type Outcomes,
  PERCENTILES,
  type Planned,
  type Responses,
  type Summary,
  shareOf,
  type Threshold,
  type Validity,
} from "./result.ts";

/** With a longer schedule lag or a busier CPU, the latencies are the generator's, not the target's. */
const MAX_LAG_MS = 20;
const MAX_CPU = 0.85;
/** A lag that is a smaller share of the latency changes nothing about it. */
const LAG_OF_LATENCY = 0.05;
/** The share of iterations that a valid run may drop because no virtual user was free. */
const MAX_DROPPED = 0.001;

/** Says whether the latencies are the target's own: in the open model, only if iterations started on time. */
export function validityOf(measured: Summary | undefined, { cpuShare = 0 }: Generator): Validity {
  if (measured && shortageIn(measured)) return "generator-limited";
  if (measured?.scheduleLagP99Ms === undefined) return "valid";
  const { iterations, dropped, scheduleLagP99Ms: lag } = measured;
  if (lag > mostLagMs(measured) || cpuShare > MAX_CPU) return "generator-limited";
  return dropped > (iterations + dropped) * MAX_DROPPED ? "target-limited" : "valid";
}

/** How late requests may start: the fastest operation decides. */
export function mostLagMs({ operations }: Pick<Summary, "operations">): number {
  const averages = Object.values(operations).flatMap(({ latencyMs }) => latencyMs.avg ?? []);
  return Math.max(MAX_LAG_MS, averages.length > 0 ? Math.min(...averages) * LAG_OF_LATENCY : 0);
}

/** What the machine of k6 may lack, and what to do. */
export const SHORTAGES = {
  "no-port": {
    why: "had no free port",
    remedy:
      "let the deployment and what is in front of it keep connections open (no Connection: close), give this machine more ports (net.ipv4.ip_local_port_range), lower RATE, or use several machines",
  },
  "no-descriptor": {
    why: "could open no more files and connections",
    remedy: "raise the limit, for example with ulimit -n 65536",
  },
  "no-network": {
    why: "could not resolve the name of the target, or not reach any network",
    remedy: "check its name server and its network",
  },
} as const satisfies Partial<Record<Outcome, object>>;

/** What the machine of k6 lacked, if it could not send more of the requests than may fail by default. */
function shortageIn({ operations }: Pick<Summary, "operations">) {
  const outcomes = outcomesIn({ operations });
  const [all, unsent] = [countOf(outcomes), countOf(outcomes, isLocal)];
  if (unsent < FEWEST || unsent <= all * DEFAULT_LIMIT) return undefined;
  const [shortage] = Object.entries(SHORTAGES).flatMap(([name, one]) =>
    (outcomes[name as Outcome] ?? 0) > 0 ? [one] : [],
  );
  return (
    shortage && {
      why: `k6 could not send ${unsent} of ${plural(all, "request")}, because its machine ${shortage.why}`,
      remedy: shortage.remedy,
    }
  );
}

/** Says why the latencies of a run that is limited by its generator are not the target's, and what to do. */
export function lateness(measured: Summary | undefined, { cpuShare, machineShare }: Generator) {
  const shortage = measured && shortageIn(measured);
  if (shortage) return shortage;
  const late = `p99 of the schedule lag ${Math.round(measured?.scheduleLagP99Ms ?? 0)} ms`;
  if (cpuShare === undefined)
    return {
      why: `k6 started requests too late (${late})`,
      remedy: "lower RATE, or use a larger or less busy machine, or several",
    };
  const used = `k6 used ${percent(cpuShare, 2)} of the CPU`;
  if (cpuShare > MAX_CPU)
    return {
      why: `k6 was too slow for this rate (${late}, ${used})`,
      remedy: "lower RATE, or use a larger machine, or several",
    };
  const others = machineShare === undefined ? "" : `, all programs together ${percent(machineShare, 2)}`;
  const isBusy = machineShare !== undefined && machineShare > MAX_CPU;
  return {
    why: `this machine was ${isBusy ? "busy with other programs" : "held up at times, by other programs or a limit on its CPU"}, so k6 started requests too late (${late}, ${used}${others})`,
    remedy: "repeat the run on a less busy machine",
  };
}

/** The share of an operation's requests that may fail or be rejected without need, and of iterations that may be dropped, where SLO gives no limit. */
const DEFAULT_LIMIT = 0.01;
/** One failure among few requests is no share: it is shown and not judged. */
const FEWEST = 2;
/** An operation that crashes more often than this has failed, whatever the limits of SLO are. */
const MOST_CRASHES = 0.5;

/**
 * Judges the limits of a run: each operation must be sent and accepted, or rejected where `refusals` counts requests that ask
 * for it (or either where `undecided` counts all the others), and must keep the operator's objectives. Where these give no
 * limit of failed requests or dropped iterations, the default one applies. A percentile with too few samples is not judged.
 */
export function judgeThresholds(
  measured: Pick<Summary, "operations" | "iterations" | "dropped" | "scheduleLagP99Ms">,
  limits: Limits = {},
  refusals: Planned = {},
  undecided: Planned = {},
): Threshold[] {
  const { operations } = measured;
  return [
    ...Object.entries(operations).flatMap(([name, operation]) =>
      judgeResponses(name, operation, refusals[name] ?? 0, undecided[name] ?? 0),
    ),
    ...judgeLatencies(operations, limits),
    ...judgeFailures(operations, limits),
    ...judgeDropped(measured, limits),
  ];
}

/** A request that asks for a rejection must get it; the others must be accepted now and then. */
function judgeResponses(
  name: string,
  { requests, planned, outcomes }: OperationSummary,
  refusals: number,
  undecided: number,
): Threshold[] {
  const { accepted = 0, "business-refused": refused = 0 } = outcomes;
  const acceptable = planned - refusals;
  const broken: string[] = [];
  if (requests === 0) broken.push(`k6 sent no ${name} request`);
  else if (acceptable > undecided && accepted === 0) broken.push(`no ${name} request was accepted`);
  if (refusals > 0 && accepted > acceptable)
    broken.push(`the API accepted a ${name} request that it must reject`);
  else if (refusals > 0 && requests > 0 && refused === 0)
    broken.push(`no ${name} request was rejected, although some had to be`);
  return broken.map((text) => ({ kind: "responses", text, ok: false }));
}

/** Judges the percentiles that have an objective and enough samples, the one furthest above its objective first. */
export function judgeLatencies(operations: Responses, { latency = {} }: Limits): Threshold[] {
  const judged = Object.entries(latency).flatMap(([operation, objectives]) =>
    PERCENTILES.flatMap((percentile) => {
      const [histogram, limit] = [operations[operation]?.histogram, objectives[percentile]];
      if (!histogram || limit === undefined || histogram.count < NEEDED_SAMPLES[percentile]) return [];
      const ok = !histogram.exceeds(limit, shareOf(percentile));
      const measured = histogram.percentile(shareOf(percentile));
      const value = ok ? Math.min(measured, limit) : measured;
      const text = `${operation} took ${Number(value.toFixed(1))} ms at ${percentile} (objective: at most ${limit} ms)`;
      return [{ factor: value / limit, threshold: { kind: "latency" as const, operation, text, ok } }];
    }),
  );
  return judged.toSorted((a, b) => b.factor - a.factor).map(({ threshold }) => threshold);
}

const objectiveOf = (limit: number) => `(objective: at most ${percent(limit)})`;
const BY_DEFAULT = `(default limit: at most ${percent(DEFAULT_LIMIT)})`;

/** Judges how many iterations k6 dropped; the closed model drops none. */
function judgeDropped(
  { iterations, dropped, scheduleLagP99Ms }: Pick<Summary, "iterations" | "dropped" | "scheduleLagP99Ms">,
  { dropped: limit }: Limits,
): Threshold[] {
  if (scheduleLagP99Ms === undefined) return [];
  const due = iterations + dropped;
  const why = dropped > 0 ? ", because every virtual user was waiting for a response" : "";
  const text = `k6 dropped ${dropped} of ${plural(due, "iteration")}${why}`;
  if (limit !== undefined)
    return [{ kind: "dropped", text: `${text} ${objectiveOf(limit)}`, ok: dropped <= due * limit }];
  const ok = dropped < FEWEST || dropped <= due * DEFAULT_LIMIT;
  return [{ kind: "dropped", text: `${text} ${BY_DEFAULT}`, ok, isDefault: true }];
}

const NEEDLESS = "rejected, although they were valid";

type IsFailure = (outcome: Outcome) => boolean;
type Judged = Readonly<Record<string, Pick<OperationSummary, "outcomes" | "rejectedToEnd">>>;
const isServerError: IsFailure = (outcome) => outcome === "server-error";
const isNeedless: IsFailure = (outcome) => outcome === "valid-refused";

/** Judges the shares of requests that failed. */
export function judgeFailures(operations: Judged, limits: Limits): Threshold[] {
  const { serverErrors, technicalFailures, rejections } = limits;
  const objective = (what: string, limit: number | undefined, isFailure: IsFailure): Threshold[] => {
    if (limit === undefined) return [];
    const { failed, requests, share } = failedIn(operations, isFailure);
    return [{ text: `${share} were ${what} ${objectiveOf(limit)}`, ok: failed <= requests * limit }];
  };
  // What has an objective of its own is left out of the default limit.
  const isOther: IsFailure = (outcome) => {
    if (isNeedless(outcome)) return rejections === undefined;
    const hasOwn = isServerError(outcome) && serverErrors !== undefined;
    return isTechnicalFailure(outcome) && technicalFailures === undefined && !hasOwn;
  };
  const hasObjective = technicalFailures !== undefined || serverErrors !== undefined;
  const crashing = failedInEach(operations, isServerError)
    .filter(({ failed, requests }) => failed >= FEWEST && failed > requests * MOST_CRASHES)
    .map(({ share }) => ({ text: `${share} got a server error, more than half`, ok: false }));
  return [
    ...objective("server errors", serverErrors, isServerError),
    ...objective("technical failures", technicalFailures, isTechnicalFailure),
    ...objective(NEEDLESS, rejections, isNeedless),
    ...(technicalFailures === undefined || rejections === undefined
      ? judgeByDefault(operations, isOther)
      : []),
    ...(hasObjective ? crashing : []),
  ].map((threshold) => ({ kind: "failures", ...threshold }));
}

/** Counts what failed; `what` is one of the requests. What the machine of k6 could not send, or is used up, does not count. */
function failedIn(operations: Judged, isFailure: IsFailure, what = "request") {
  const outcomes = addOutcomes(Object.values(operations).map(withoutUsedUp));
  const [requests, failed] = [
    countOf(outcomes, (outcome) => !isLocal(outcome)),
    countOf(outcomes, isFailure),
  ];
  const share = `${failed} of ${plural(requests, what)}`;
  if (!isFailure("timeout")) return { requests, failed, share, text: `${share} were ${NEEDLESS}` };
  const kinds = failed > 0 ? `: ${failuresIn(outcomes, isFailure)}` : "";
  return { requests, failed, share, text: `${share} failed${kinds}` };
}

/** Rejections to the end may have another cause than the load: a balance or a daily limit that it has used up. */
function withoutUsedUp({ outcomes, rejectedToEnd = 0 }: Judged[string]): { readonly outcomes: Outcomes } {
  const { accepted = 0, "valid-refused": rejected = 0, "business-refused": asked = 0 } = outcomes;
  if (accepted === 0 || rejectedToEnd < FEWEST) return { outcomes };
  const moved = { "valid-refused": rejected - rejectedToEnd, "business-refused": asked + rejectedToEnd };
  return { outcomes: { ...outcomes, ...moved } };
}

const failedInEach = (operations: Judged, isFailure: IsFailure) =>
  Object.entries(operations).map(([name, one]) => failedIn({ [name]: one }, isFailure, `${name} request`));

/** Judges each operation by itself, or all of them together if each had a single failure at most. */
function judgeByDefault(operations: Judged, isFailure: IsFailure): Threshold[] {
  const isOver = ({ failed, requests }: ReturnType<typeof failedIn>) => failed > requests * DEFAULT_LIMIT;
  const over = failedInEach(operations, isFailure).filter(isOver);
  const all = failedIn(operations, isFailure);
  const isBroken = isOver(all) && all.failed >= FEWEST;
  if (over.length === 0 || (isBroken && over.every(({ failed }) => failed < FEWEST)))
    return [{ text: `${all.text} ${BY_DEFAULT}`, ok: !isBroken, isDefault: true }];
  const tooFew = `too few requests to judge the default limit of ${percent(DEFAULT_LIMIT)}`;
  return over.map(({ failed, text }) =>
    failed < FEWEST
      ? { text: `${text}, ${tooFew}`, ok: true, isDefault: true, isJudged: false }
      : { text: `${text} ${BY_DEFAULT}`, ok: false, isDefault: true },
  );
}

/** What a load run found. */
export interface Found
  extends Pick<LoadResult, "generator" | "invariants" | "problems" | "reconciled" | "money"> {
  /** Absent if k6 was killed or sent nothing. */
  readonly measured: Summary | undefined;
  /** Why the log proves too little. */
  readonly gaps: readonly string[];
  readonly interrupted: boolean;
  /** Why the load was stopped before its end, if it was: then it cannot pass. */
  readonly stopped?: string | undefined;
  /** Whether the target did what it was stopped for. */
  readonly hasHarmed?: boolean;
}

/** Judges a finished run and returns the content of `result.json`. */
export function resultOf(run: LoadRun, found: Found): LoadResult {
  const { measured, generator, stopped, reconciled, invariants, money, problems } = found;
  return {
    ...run,
    schema: "payments-conformance/load@2",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    generator,
    validity: validityOf(measured, generator),
    ...(stopped !== undefined && { stopped }),
    reconciled,
    invariants,
    money,
    problems,
    ...verdictOf(run, found),
  };
}

/**
 * Decides by the worst finding: 70 the suite failed, 130 interrupted, 1 broken invariant or too many failed requests, 4
 * undecided, 1 another broken threshold, 0 passed. A wrong command line (2) and a failed preflight (3) end a run before it
 * has findings.
 */
function verdictOf({ iterations: planned }: LoadRun, found: Found): Decision {
  const { measured, generator, invariants, problems, gaps, interrupted, stopped } = found;
  const { exceptions = 0, thresholds = [] } = measured ?? {};
  const inState = (state: Invariant["state"]) =>
    invariants.filter((one) => one.state === state).map(({ id, title, text }) => `${id} (${title}): ${text}`);
  const { why, remedy } = lateness(measured, generator);
  const isLate = validityOf(measured, generator) === "generator-limited";
  const { iterations = planned, dropped = 0 } = measured ?? {};
  const undecided = present(
    // A machine that cannot send is the reason of what follows.
    isLate && `${why}: ${remedy}`,
    ...inState("undecided"),
    iterations + dropped < planned && `k6 started only ${iterations} of ${planned} requests`,
    ...gaps,
    ...usedUpIn(measured),
  );
  const failed = thresholds.filter(({ ok, kind }) => !ok && kind === "failures");
  const missed = undecided.length > 0 ? [] : thresholds.filter(({ ok, kind }) => !ok && kind !== "failures");
  const texts = [...failed, ...missed].map(({ text }) => text);
  const hint = thresholds.some(({ ok, isDefault }) => !ok && isDefault) ? [OTHER_LIMITS] : [];
  const tooBad = [...broken("threshold", texts), ...hint];
  // What stopped the load is a reason of every end that has one.
  const stop = stopped === undefined ? [] : [`the load was stopped: ${stopped}`];
  const withStop = (...reasons: readonly string[]) => (reasons.length > 0 ? [...reasons, ...stop] : []);
  const scriptFailed = `the load script failed in ${exceptions} iterations; the log of k6 has the errors`;
  const [error] = present(...problems, exceptions > 0 && scriptFailed);
  return firstWithReason<Decision["outcome"], Decision["exitCode"]>(
    ["error", 70, error !== undefined && withStop(error)],
    ["interrupted", 130, interrupted && withStop("the run was interrupted")],
    ["failed", 1, withStop(...broken("invariant", inState("broken")))],
    // Failed requests are the target's, whatever else the run leaves undecided.
    ["failed", 1, failed.length > 0 && withStop(...tooBad)],
    ["failed", 1, found.hasHarmed === true && stop],
    // What stopped the load explains the rest.
    ["undecided", 4, [...stop, ...undecided]],
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
  const requests = countOf(outcomesIn(measured), (outcome) => !isLocal(outcome));
  if (requests >= MANY) return false;
  const share = Math.max(1, Math.floor(requests / FOR_ONE));
  return `${plural(requests, "request")} prove little: what goes wrong less often than once in ${share} may not have shown`;
}

/** How to set another limit than the default one. */
export const OTHER_LIMITS = "to set other limits, give technicalFailures, rejections and dropped in SLO";

/** Says by which limits a run was judged that kept all of them, and what was not judged. */
function judgedIn(measured: Summary): string {
  const { thresholds } = measured;
  const judged = thresholds.filter(({ isJudged = true }) => isJudged);
  const objectives = judged.filter(({ isDefault = false }) => !isDefault).length;
  const byDefault = judged.flatMap(({ isDefault, kind }) => {
    const what = kind === "dropped" ? "dropped iterations" : "failed requests";
    return isDefault ? `at most ${percent(DEFAULT_LIMIT)} ${what}` : [];
  });
  return present(
    objectives > 0 && `${plural(objectives, "objective")} of SLO met`,
    byDefault.length > 0 && `default limits met (${byDefault.join(", ")})`,
    ...thresholds.filter(({ isJudged }) => isJudged === false).map(({ text }) => text),
    ...latencyNote(measured),
    smallness(measured),
  ).join("; ");
}
