import type { Summary, ThresholdResult } from "../k6/summary.ts";
import { PERCENTILES, STATISTIC } from "../k6/thresholds.ts";

/** Judged elsewhere: shapes by L9, exceptions as failures of the suite. */
const JUDGED_ELSEWHERE = ["checks", "exceptions"];

const FAILURES: Readonly<Record<string, string>> = {
  server_errors: "server errors",
  technical_failures: "technical failures",
};

/** Describes each broken threshold: what was measured, and what the objective is. */
export function brokenThresholds(measured: Summary): string[] {
  return measured.thresholds
    .filter(({ metric, ok }) => !ok && !JUDGED_ELSEWHERE.includes(metric))
    .map((threshold) => describe(threshold, measured));
}

function describe({ metric, rule }: ThresholdResult, measured: Summary): string {
  const [, kind = metric, name = "", outcome] = /^(\w+)\{name:(\w+)(?:,outcome:(.+))?\}$/.exec(metric) ?? [];
  const [statistic = rule, limit] = rule.split("<=");
  if (kind === "http_reqs") return `k6 sent no ${name} request`;
  if (kind === "outcomes") return `no ${name} request was ${outcome}`;
  if (kind === "latency")
    return `${name} took ${latency(name, statistic, measured)} (objective: at most ${limit} ms)`;
  const failures = FAILURES[kind];
  return failures ? `${failures} exceed ${percent(limit)} of all requests` : `${metric} is not ${rule}`;
}

function latency(name: string, statistic: string, { operations }: Summary): string {
  const percentile = PERCENTILES.find((one) => STATISTIC[one] === statistic);
  const operation = Object.entries(operations).find(([id]) => id === name)?.[1];
  const milliseconds = percentile && operation?.latencyMs[percentile];
  return milliseconds === undefined
    ? "too long"
    : `${Number(milliseconds.toFixed(1))} ms at ${percentile ?? statistic}`;
}

const percent = (share: string | undefined) => `${Number((Number(share) * 100).toPrecision(6))} %`;
