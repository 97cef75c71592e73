import type { OperationName } from "./generated/requests.ts";
import { OUTCOMES } from "./outcome.ts";

/** How many samples a percentile needs to be meaningful. */
export const MIN_SAMPLES = { p50: 20, p95: 200, p99: 1000 } as const;

export type Percentile = keyof typeof MIN_SAMPLES;

export const PERCENTILES = Object.keys(MIN_SAMPLES) as Percentile[];

/** k6's name for each percentile, in thresholds and in its summary. */
export const STATISTIC: Readonly<Record<Percentile, string>> = { p50: "med", p95: "p(95)", p99: "p(99)" };

/** Limits of the percentiles, in milliseconds. */
export type LatencyObjectives = Readonly<Partial<Record<Percentile, number>>>;

/** The operator's service level objectives; the specification has none. */
export interface Objectives {
  readonly latency?: Readonly<Record<string, LatencyObjectives>> | undefined;
  /** The share of server errors, from 0 to 1. */
  readonly serverErrors?: number | undefined;
  /** The share of requests without a usable response, from 0 to 1. */
  readonly technicalFailures?: number | undefined;
}

/** Where the launcher does not watch the load, k6 itself ends it when most responses are server errors. */
export const STOP_RULE = {
  server_errors: [{ threshold: "rate<=0.5", abortOnFail: true, delayAbortEval: "30s" }],
};

type Counts = Readonly<Partial<Record<OperationName, number>>>;

/**
 * The k6 thresholds of a run that sends `planned` requests of each operation, of which `refusals` ask for a rejection. A
 * threshold on a tag passes without samples, so each operation also has thresholds that count. An empty list keeps the
 * values of a tag for the summary.
 */
export function thresholdsOf(
  planned: Counts,
  { latency, serverErrors, technicalFailures }: Objectives,
  refusals: Counts = {},
): Record<string, string[]> {
  const ofOperations = Object.entries(planned).map(([name, requests]) =>
    operationThresholds(name, requests, refusals[name as OperationName] ?? 0, latency?.[name]),
  );
  return Object.assign(
    {
      checks: ["rate==1"],
      exceptions: ["count==0"],
      schedule_lag: [],
      server_errors: atMost("rate", serverErrors),
      technical_failures: atMost("rate", technicalFailures),
    },
    ...ofOperations,
  );
}

function operationThresholds(
  name: string,
  requests: number,
  refusals: number,
  objectives: LatencyObjectives = {},
) {
  const acceptable = requests - refusals;
  const judged = PERCENTILES.filter((percentile) => requests >= MIN_SAMPLES[percentile]);
  return {
    [`http_reqs{name:${name}}`]: ["count>0"],
    [`latency{name:${name}}`]: judged.flatMap((one) => atMost(STATISTIC[one], objectives[one])),
    ...Object.fromEntries(OUTCOMES.map((outcome) => [`outcomes{name:${name},outcome:${outcome}}`, []])),
    [`outcomes{name:${name},outcome:accepted}`]: [
      ...(acceptable > 0 ? ["count>0"] : []),
      ...(refusals > 0 ? [`count<=${acceptable}`] : []),
    ],
    ...(refusals > 0 && { [`outcomes{name:${name},outcome:business-refused}`]: ["count>0"] }),
  };
}

const atMost = (statistic: string, limit: number | undefined) =>
  limit === undefined ? [] : [`${statistic}<=${limit}`];
