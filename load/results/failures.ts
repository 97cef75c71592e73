import { percent, plural } from "../../reports/wording.ts";
import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import type { Objectives } from "../k6/thresholds.ts";
import { failuresIn, outcomesIn, requestsIn } from "./outcome-counts.ts";
import type { Limits } from "./result.ts";
import type { OperationSummary, Outcomes, Summary, Threshold } from "./summary.ts";

/** The share of an operation's requests that may fail, and of iterations that may be dropped, where SLO gives no limit. */
export const DEFAULT_LIMIT = 0.01;
/** One failure among few requests is no share: it is shown and not judged. */
const FEWEST = 2;
/** An operation that crashes more often than this has failed, whatever the limits of SLO are. */
const MOST_CRASHES = 0.5;

/** What came back, by operation. */
export type Answered = Readonly<Record<string, Pick<OperationSummary, "outcomes" | "histogram">>>;

/** Judges the shares of requests that failed. */
export function judgeFailures(operations: Answered, objectives: Objectives): Threshold[] {
  const { serverErrors, technicalFailures } = objectives;
  return [
    ...share("server errors", serverErrors, operations, isServerError),
    ...share("technical failures", technicalFailures, operations, isTechnicalFailure),
    ...(technicalFailures === undefined ? byDefault(operations, failedBy(objectives)) : []),
    ...((technicalFailures ?? serverErrors) === undefined ? [] : mostlyCrashing(operations)),
  ].map((threshold) => ({ kind: "failures", ...threshold }));
}

/** Judges how many iterations k6 dropped; the closed model drops none. */
export function judgeDropped(
  { iterations, dropped, scheduleLagP99Ms }: Pick<Summary, "iterations" | "dropped" | "scheduleLagP99Ms">,
  { dropped: limit }: Limits,
): Threshold[] {
  if (scheduleLagP99Ms === undefined) return [];
  const due = iterations + dropped;
  const text = `k6 dropped ${dropped} of ${plural(due, "iteration")}${dropped > 0 ? ", because every virtual user was waiting for a response" : ""}`;
  return [
    limit === undefined
      ? {
          kind: "dropped",
          text: `${text} ${BY_DEFAULT}`,
          ok: dropped < FEWEST || dropped <= due * DEFAULT_LIMIT,
          isDefault: true,
        }
      : { kind: "dropped", text: `${text} ${objectiveOf(limit)}`, ok: dropped <= due * limit },
  ];
}

const isServerError = (outcome: Outcome) => outcome === "server-error";
const objectiveOf = (limit: number) => `(objective: at most ${percent(limit)})`;
const BY_DEFAULT = `(default limit: at most ${percent(DEFAULT_LIMIT)})`;

function share(
  what: string,
  limit: number | undefined,
  operations: Answered,
  isCounted: (outcome: Outcome) => boolean,
): Threshold[] {
  if (limit === undefined) return [];
  const requests = requestsIn({ operations });
  const counted = requestsIn({ operations }, isCounted);
  const text = `${counted} of ${requests} requests were ${what} ${objectiveOf(limit)}`;
  return [{ text, ok: counted <= requests * limit }];
}

/** How many requests failed, and how. */
interface Counts {
  readonly what: string;
  readonly requests: number;
  readonly failed: number;
  readonly outcomes: Outcomes;
}

function countsOf(what: string, operations: Answered, isCounted: (outcome: Outcome) => boolean): Counts {
  const requests = requestsIn({ operations });
  return {
    what: plural(requests, what),
    requests,
    failed: requestsIn({ operations }, isCounted),
    outcomes: outcomesIn({ operations }, isCounted),
  };
}

const eachOf = (operations: Answered, isCounted: (outcome: Outcome) => boolean): Counts[] =>
  Object.entries(operations).map(([name, one]) => countsOf(`${name} request`, { [name]: one }, isCounted));

/** What the default limit is about: server errors are left out if they have an objective of their own. */
const failedBy =
  ({ serverErrors }: Objectives) =>
  (outcome: Outcome) =>
    isTechnicalFailure(outcome) && (serverErrors === undefined || !isServerError(outcome));

const isOver = ({ failed, requests }: Counts) => failed > requests * DEFAULT_LIMIT;
const isBroken = (counts: Counts) => isOver(counts) && counts.failed >= FEWEST;

/** Judges each operation by itself, or all of them together if each had a single failure at most. */
function byDefault(operations: Answered, isCounted: (outcome: Outcome) => boolean): Threshold[] {
  const each = eachOf(operations, isCounted);
  const all = countsOf("request", operations, isCounted);
  const broken = each.filter(isBroken);
  const strays = each.filter((counts) => isOver(counts) && !isBroken(counts));
  if (broken.length === 0 && (isBroken(all) || strays.length === 0))
    return [{ text: `${textOf(all)} ${BY_DEFAULT}`, ok: !isBroken(all), isDefault: true }];
  return [
    ...broken.map((counts) => ({
      text: `${textOf(counts)} ${BY_DEFAULT}`,
      ok: false,
      isDefault: true,
    })),
    ...strays.map((counts) => ({
      text: `${textOf(counts)}, too few requests to judge the default limit of ${percent(DEFAULT_LIMIT)}`,
      ok: true,
      isDefault: true,
      isJudged: false,
    })),
  ];
}

function textOf({ what, failed, outcomes }: Counts): string {
  return `${failed} of ${what} failed${failed > 0 ? `: ${failuresIn(outcomes)}` : ""}`;
}

const mostlyCrashing = (operations: Answered): Threshold[] =>
  eachOf(operations, isServerError)
    .filter(({ failed, requests }) => failed >= FEWEST && failed > requests * MOST_CRASHES)
    .map(({ what, failed }) => ({
      text: `${failed} of ${what} got a server error, more than half`,
      ok: false,
    }));
