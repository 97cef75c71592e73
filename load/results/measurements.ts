import { plural, present } from "../../reports/wording.ts";
import { isSent, isTechnicalFailure, type Outcome } from "../k6/responses.ts";
import {
  DEFAULT_LIMIT,
  FEWEST,
  type LoadResult,
  type OperationSummary,
  type Outcomes,
  type ReportedPercentile,
  type Series,
  type Summary,
  type Threshold,
  type Validity,
} from "./result.ts";

const OUTCOME_COLUMNS = ["accepted", "as asked", "rejected", "throttled", "errors", "unknown"] as const;

type Column = (typeof OUTCOME_COLUMNS)[number];

/** How each outcome is shown: in which column unless nothing was sent, and by which name if it is a failure. */
const SHOWN: Readonly<Record<Outcome, { readonly column?: Column; readonly failure?: string }>> = {
  accepted: { column: "accepted" },
  "business-refused": { column: "as asked" },
  "valid-refused": { column: "rejected", failure: "rejected valid request" },
  throttled: { column: "throttled" },
  "server-error": { column: "errors", failure: "server error" },
  timeout: { column: "unknown", failure: "timeout" },
  unknown: { column: "unknown", failure: "lost connection" },
  "connection-error": { column: "errors", failure: "failed connection" },
  "auth-error": { column: "errors", failure: "rejected key" },
  malformed: { column: "errors", failure: "malformed response" },
  unsent: { failure: "unsent request" },
};

const SHOWN_OUTCOMES = Object.keys(SHOWN) as Outcome[];

/** What became of requests, by operation. */
interface Counted {
  readonly operations: Readonly<Record<string, { readonly outcomes: Outcomes }>>;
}

/** How many requests came to one of some outcomes. */
export const countOf = (outcomes: Outcomes, isCounted = (_: Outcome) => true): number =>
  SHOWN_OUTCOMES.filter(isCounted).reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);

/** Adds up what became of requests. */
export const addOutcomes = (all: readonly { readonly outcomes: Outcomes }[]): Outcomes =>
  Object.fromEntries(
    SHOWN_OUTCOMES.flatMap((name) => {
      const count = all.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0);
      return count > 0 ? [[name, count]] : [];
    }),
  );

export const outcomesIn = ({ operations }: Counted): Outcomes => addOutcomes(Object.values(operations));

/** How many requests of all operations were sent, or came to one of some outcomes. */
export const requestsIn = (counted: Counted, isCounted: (outcome: Outcome) => boolean = isSent): number =>
  countOf(outcomesIn(counted), isCounted);

/** How many of these outcomes a column counts. */
export const countIn = (column: Column, outcomes: Outcomes): number =>
  countOf(outcomes, (outcome) => SHOWN[outcome].column === column);

/** Names the failures among some outcomes: `3 server errors, 1 timeout`; empty if there are none. */
export const failuresIn = (outcomes: Outcomes, isCounted = (_: Outcome) => true): string =>
  SHOWN_OUTCOMES.filter(isCounted)
    .flatMap((outcome) => {
      const [{ failure }, count = 0] = [SHOWN[outcome], outcomes[outcome]];
      return failure && count > 0 ? [plural(count, failure)] : [];
    })
    .join(", ");

/** Says how many transfers were looked up. */
export const scopeOf = ({ reconciled }: Pick<LoadResult, "reconciled">): string =>
  reconciled > 0
    ? `${plural(reconciled, "transfer reference")} looked up in the transfer list`
    : "no transfers were sent, so none was looked up";

/** What became of the requests of each operation, with its latencies in milliseconds; the first row is the head. */
export const operationRows = (
  { operations, durationMs }: Summary,
  percentiles: readonly ReportedPercentile[],
): (string | number)[][] => [
  ["operation", "sent", ...OUTCOME_COLUMNS, "per s", ...[...percentiles, "max"].map((name) => `${name} ms`)],
  ...Object.entries(operations).map(([name, found]) => [
    name,
    found.requests,
    ...OUTCOME_COLUMNS.map((column) => countIn(column, found.outcomes)),
    perSecond(found.requests, durationMs),
    ...[...percentiles, "max" as const].map((one) => latencyText(found, one)),
  ]),
];

export const perSecond = (count: number, durationMs: number) => (count / (durationMs / 1000)).toFixed(1);

/** Writes a percentile of an operation in milliseconds; `-` if there were too few responses for it. */
function latencyText(
  { latencyMs }: Pick<OperationSummary, "latencyMs">,
  statistic: keyof OperationSummary["latencyMs"],
): string {
  const value = latencyMs[statistic];
  return value === undefined ? "-" : value.toFixed(value < 100 ? 1 : 0);
}

const VALIDITIES: Readonly<Record<Validity, string>> = {
  valid: "valid",
  "generator-limited": "generator-limited, so the latencies are not the target's",
  "target-limited": "target-limited, so the target did not get the full rate",
};

/** Says how many requests a run sends, and how fast they come. */
export function scheduleOf({ iterations, profile }: Pick<LoadResult, "iterations" | "profile">): string {
  const { seconds, rate, stages } = profile;
  const [requests, highest] = [plural(iterations, "request"), Number(rate.toFixed(3))];
  const isEven = stages.every((stage) => stage.rate === rate);
  return `${requests} in ${Number(seconds.toFixed(3))} s, ${isEven ? "" : "up to "}${highest} per second`;
}

/** Says at which rate k6 sent, and whether it kept its schedule. */
export function rateLine({ profile, iterations, validity }: LoadResult, measured: Summary): string {
  const rate = perSecond(measured.iterations, measured.durationMs);
  const facts = [
    `${rate} of ${Number((iterations / profile.seconds).toFixed(1))} requests/s`,
    `${plural(measured.dropped, "iteration")} dropped`,
    `schedule lag ${measured.scheduleLagMs.toFixed(0)} ms`,
  ];
  return `${facts.join(", ")}: ${VALIDITIES[validity]}`;
}

/** Says at which rate the target began to throttle or to fail, and how much it served from then on; `undefined` if it did not. */
export function limitIn({ sliceSeconds, slices }: Series): string | undefined {
  const counted = slices.map((slice) => {
    const outcomes = outcomesIn(slice);
    const [sent, throttled] = [countOf(outcomes, isSent), outcomes.throttled ?? 0];
    return { second: slice.second, sent, throttled, lost: throttled + countOf(outcomes, isTechnicalFailure) };
  });
  const [first, ...others] = counted.filter(
    ({ sent, lost }) => lost >= FEWEST && lost > sent * DEFAULT_LIMIT,
  );
  if (!first) return undefined;
  // In the first slice the target was at its limit for a part of the time only.
  const whole = others.length > 0 ? others : [first];
  const served = whole.reduce((sum, { sent, lost }) => sum + sent - lost, 0) / whole.length;
  const what = first.throttled > 0 ? "throttle (429, or 503 with Retry-After)" : "fail";
  return `The target began to ${what} at ${(first.sent / sliceSeconds).toFixed(1)} requests/s, ${first.second} s into the load, and served ${(served / sliceSeconds).toFixed(1)}/s while it did`;
}

/** Says for which operations nothing limits the latency, if there are any: the specification has no limit. */
export function latencyNote({ thresholds, operations }: Summary): string[] {
  const latencies = thresholds.filter(({ kind, isJudged = true }) => kind === "latency" && isJudged);
  const judged = new Set(latencies.map(({ operation }) => operation)).size;
  const all = Object.keys(operations).length;
  if (judged >= all) return [];
  return judged === 0
    ? ["latency was not judged"]
    : [`latency was judged for ${judged} of ${plural(all, "operation")}`];
}

/** What became of a limit, in the words of the other verdicts. */
export const stateOf = ({ ok, isJudged = true }: Threshold) =>
  isJudged ? (ok ? "held" : "broken") : "unjudged";

const BAD = ["rejected", "errors", "unknown", "dropped"];

/** The figures that matter most: what became of all requests, and the highest p95. */
export function keyFigures(measured: Summary) {
  const outcomes = outcomesIn(measured);
  const counts: [label: string, count: number][] = [
    ["sent", requestsIn(measured)],
    ...OUTCOME_COLUMNS.map((column): [string, number] => [column, countIn(column, outcomes)]),
    ["dropped", measured.dropped],
  ];
  const figures = counts.map(([label, count]) => {
    return { label, value: count.toLocaleString("en-US"), note: "", isBad: count > 0 && BAD.includes(label) };
  });
  return [...figures, slowest(measured)];
}

/** The operation with the highest p95, or with the slowest response where there are too few for a p95. */
function slowest(measured: Summary) {
  const found = Object.entries(measured.operations);
  const statistic = found.some(([, { latencyMs }]) => latencyMs.p95 !== undefined) ? "p95" : "max";
  const msOf = ({ latencyMs }: OperationSummary) => latencyMs[statistic] ?? -1;
  const [highest] = found.toSorted(([, a], [, b]) => msOf(b) - msOf(a));
  const few = statistic === "max" && "too few responses for a p95";
  return {
    label: statistic === "p95" ? "highest p95" : "slowest response",
    value: highest ? `${latencyText(highest[1], statistic)} ms` : "-",
    note: present(highest?.[0], few, ...latencyNote(measured)).join("; "),
    isBad: false,
  };
}
