import { percent, plural } from "../../reports/wording.ts";
import { isLocal, isTechnicalFailure, type Outcome } from "../k6/responses.ts";
import { addOutcomes, countOf, failuresIn } from "./measurements.ts";
import {
  type Limits,
  NEEDED_SAMPLES,
  type OperationSummary,
  type Outcomes,
  PERCENTILES,
  type Planned,
  type Responses,
  type Summary,
  shareOf,
  type Threshold,
} from "./result.ts";

/** The share of an operation's requests that may fail or be rejected without need, and of iterations that may be dropped, where SLO gives no limit. */
export const DEFAULT_LIMIT = 0.01;
/** One failure among few requests is no share: it is shown and not judged. */
export const FEWEST = 2;
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
