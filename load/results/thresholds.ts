import { percent, plural } from "../../reports/wording.ts";
import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import { failuresIn, outcomesIn, requestsIn } from "./outcome-counts.ts";
import type { Limits } from "./result.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  PERCENTILES,
  type Planned,
  type Responses,
  type Summary,
  shareOf,
  type Threshold,
} from "./result.ts";

/** The share of an operation's requests that may fail, and of iterations that may be dropped, where SLO gives no limit. */
export const DEFAULT_LIMIT = 0.01;
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
  const countOf = (counts: Readonly<Record<string, number>>, name: string) => counts[name] ?? 0;
  return [
    ...Object.entries(operations).flatMap(([name, operation]) => [
      ...judgeResponses(name, operation, countOf(refusals, name), countOf(undecided, name)),
      ...judgeLatencies(name, operation, limits).map(({ factor: _, ...threshold }) => threshold),
    ]),
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

/** A percentile of an operation and its objective. */
interface JudgedLatency extends Threshold {
  readonly operation: string;
  /** How many times the objective it was: at most 1 if the objective is met. */
  readonly factor: number;
}

/** Judges the percentiles of an operation that have an objective and enough samples. */
export function judgeLatencies(
  name: string,
  { histogram }: Pick<OperationSummary, "histogram">,
  { latency }: Limits,
): JudgedLatency[] {
  return PERCENTILES.flatMap((percentile) => {
    const limit = latency?.[name]?.[percentile];
    if (limit === undefined || histogram.count < NEEDED_SAMPLES[percentile]) return [];
    const ok = !histogram.exceeds(limit, shareOf(percentile));
    const measured = histogram.percentile(shareOf(percentile));
    const value = ok ? Math.min(measured, limit) : measured;
    const text = `${name} took ${Number(value.toFixed(1))} ms at ${percentile} (objective: at most ${limit} ms)`;
    return [{ kind: "latency", operation: name, factor: value / limit, text, ok }];
  });
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
  const text = `k6 dropped ${dropped} of ${plural(due, "iteration")}${dropped > 0 ? ", because every virtual user was waiting for a response" : ""}`;
  if (limit !== undefined)
    return [{ kind: "dropped", text: `${text} ${objectiveOf(limit)}`, ok: dropped <= due * limit }];
  const ok = dropped < FEWEST || dropped <= due * DEFAULT_LIMIT;
  return [{ kind: "dropped", text: `${text} ${BY_DEFAULT}`, ok, isDefault: true }];
}

type IsFailure = (outcome: Outcome) => boolean;

const isServerError: IsFailure = (outcome) => outcome === "server-error";

/** Judges the shares of requests that failed. */
export function judgeFailures(operations: Responses, limits: Limits): Threshold[] {
  const { serverErrors, technicalFailures } = limits;
  const isLimited = technicalFailures !== undefined || serverErrors !== undefined;
  // Server errors are left out of the default limit if they have an objective of their own.
  const isOther: IsFailure = (outcome) =>
    isTechnicalFailure(outcome) && (serverErrors === undefined || !isServerError(outcome));
  return [
    ...judgeShare("server errors", serverErrors, operations, isServerError),
    ...judgeShare("technical failures", technicalFailures, operations, isTechnicalFailure),
    ...(technicalFailures === undefined ? judgeByDefault(operations, isOther) : []),
    ...(isLimited ? mostlyCrashing(operations) : []),
  ].map((threshold) => ({ kind: "failures", ...threshold }));
}

function judgeShare(
  what: string,
  limit: number | undefined,
  operations: Responses,
  isFailure: IsFailure,
): Threshold[] {
  if (limit === undefined) return [];
  const requests = requestsIn({ operations });
  const failed = requestsIn({ operations }, isFailure);
  const text = `${failed} of ${requests} requests were ${what} ${objectiveOf(limit)}`;
  return [{ text, ok: failed <= requests * limit }];
}

function countsOf(what: string, operations: Responses, isFailure: IsFailure) {
  const requests = requestsIn({ operations });
  const failed = requestsIn({ operations }, isFailure);
  const share = `${failed} of ${plural(requests, what)}`;
  const kinds = failed > 0 ? `: ${failuresIn(outcomesIn({ operations }), isFailure)}` : "";
  return { requests, failed, share, text: `${share} failed${kinds}` };
}

const eachOf = (operations: Responses, isFailure: IsFailure) =>
  Object.entries(operations).map(([name, one]) => countsOf(`${name} request`, { [name]: one }, isFailure));

/** Judges each operation by itself, or all of them together if each had a single failure at most. */
function judgeByDefault(operations: Responses, isFailure: IsFailure): Threshold[] {
  const isOver = ({ failed, requests }: ReturnType<typeof countsOf>) => failed > requests * DEFAULT_LIMIT;
  const over = eachOf(operations, isFailure).filter(isOver);
  const all = countsOf("request", operations, isFailure);
  const isBroken = isOver(all) && all.failed >= FEWEST;
  if (over.length === 0 || (isBroken && over.every(({ failed }) => failed < FEWEST)))
    return [{ text: `${all.text} ${BY_DEFAULT}`, ok: !isBroken, isDefault: true }];
  return over.map(({ failed, text }) =>
    failed < FEWEST
      ? {
          text: `${text}, too few requests to judge the default limit of ${percent(DEFAULT_LIMIT)}`,
          ok: true,
          isDefault: true,
          isJudged: false,
        }
      : { text: `${text} ${BY_DEFAULT}`, ok: false, isDefault: true },
  );
}

const mostlyCrashing = (operations: Responses): Threshold[] =>
  eachOf(operations, isServerError)
    .filter(({ failed, requests }) => failed >= FEWEST && failed > requests * MOST_CRASHES)
    .map(({ share }) => ({ text: `${share} got a server error, more than half`, ok: false }));
