import type { OperationName } from "./generated/requests.ts";
import { OUTCOMES } from "./outcome.ts";

/** Answers that a percentile needs to mean anything. */
export const SAMPLES_FOR = { p50: 20, p95: 200, p99: 1000 } as const;

export type Percentile = keyof typeof SAMPLES_FOR;

/** How k6 writes each percentile, in thresholds and in the summary. */
export const STATISTIC: Readonly<Record<Percentile, string>> = { p50: "med", p95: "p(95)", p99: "p(99)" };

/** Service level objectives of the operator; the specification has none. */
export interface Objectives {
  /** Milliseconds by operation. */
  readonly latency?: Readonly<Record<string, Readonly<Partial<Record<Percentile, number>>>>> | undefined;
  /** Shares from 0 to 1: answers that are server errors; requests without a usable answer. */
  readonly serverErrors?: number | undefined;
  readonly technicalFailures?: number | undefined;
}

/**
 * Thresholds of a run that sends `planned` requests by operation. k6 lets a threshold without samples pass, so each
 * tagged one has a guard that counts; an empty list makes k6 keep the values of that tag for the summary.
 */
export function thresholdsOf(
  planned: Readonly<Partial<Record<OperationName, number>>>,
  objectives: Objectives,
): Record<string, string[]> {
  const thresholds: Record<string, string[]> = {
    checks: ["rate==1"],
    exceptions: ["count==0"],
    schedule_lag: [],
    server_errors: atMost("rate", objectives.serverErrors),
    technical_failures: atMost("rate", objectives.technicalFailures),
  };
  for (const [name, count] of Object.entries(planned)) {
    thresholds[`http_reqs{name:${name}}`] = ["count>0"];
    thresholds[`latency{name:${name}}`] = judged(objectives.latency?.[name], count).map(
      ([percentile, limit]) => `${STATISTIC[percentile]}<=${limit}`,
    );
    for (const outcome of OUTCOMES) {
      thresholds[`outcomes{name:${name},outcome:${outcome}}`] = outcome === "accepted" ? ["count>0"] : [];
    }
  }
  return thresholds;
}

/** The objectives of one operation that `count` requests are enough to judge. */
function judged(limits: Readonly<Partial<Record<Percentile, number>>> = {}, count: number) {
  return (Object.entries(limits) as [Percentile, number][]).filter(
    ([percentile]) => count >= SAMPLES_FOR[percentile],
  );
}

const atMost = (statistic: string, limit: number | undefined) =>
  limit === undefined ? [] : [`${statistic}<=${limit}`];
