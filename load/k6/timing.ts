import { check } from "k6";
import execution from "k6/execution";
import { Counter, Rate, Trend } from "k6/metrics";
import { ArrivalTimes } from "./arrivals.ts";
import type { Profile } from "./profiles.ts";
import { isTechnicalFailure, isUnmade, type Outcome } from "./responses.ts";

/** k6's own metrics, for its outputs and for its summary. */
export function metricsOf(profile: Profile, runners: number | undefined) {
  const arrivals = profile.model === "open" ? new ArrivalTimes(profile) : undefined;
  const latency = new Trend("latency", true);
  const scheduleLag = new Trend("schedule_lag", true);
  const outcomes = new Counter("outcomes");
  const exceptions = new Counter("exceptions");
  const serverErrors = new Rate("server_errors");
  const technicalFailures = new Rate("technical_failures");
  return {
    /** Counts an iteration that starts, and tags all samples of it; returns for how many milliseconds it has been due. */
    iteration(operation: string, iteration: number, startedMs: number): number {
      execution.vu.metrics.tags.operation = operation;
      if (!arrivals) return 0;
      const { least, most } = arrivals.latenessMs(iteration, startedMs, runners);
      scheduleLag.add(most);
      return least;
    },
    response(name: string, outcome: Outcome, latencyMs: number): void {
      const tags = { name };
      if (!isUnmade(outcome)) latency.add(latencyMs, tags);
      outcomes.add(1, { name, outcome });
      serverErrors.add(outcome === "server-error", tags);
      technicalFailures.add(isTechnicalFailure(outcome), tags);
      check(outcome, { "the response has its documented shape": (value) => value !== "malformed" }, tags);
    },
    exception(): void {
      exceptions.add(1);
    },
  };
}
