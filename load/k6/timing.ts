import { check } from "k6";
import { SharedArray } from "k6/data";
import execution from "k6/execution";
import { Counter, Rate, Trend } from "k6/metrics";
import { isTechnicalFailure, type Outcome } from "./outcome.ts";
import { ArrivalTimes, randomRates } from "./traffic/arrivals.ts";
import type { Profile } from "./traffic/profiles.ts";

/** When the iterations of an open profile are due; random arrivals are drawn once for all virtual users. */
export function arrivalTimesOf(profile: Profile): ArrivalTimes {
  if (profile.arrivals !== "poisson") return new ArrivalTimes(profile);
  const [rates = "[]"] = new SharedArray("rates", () => [JSON.stringify(randomRates(profile))]);
  return new ArrivalTimes(profile, JSON.parse(rates) as number[]);
}

/** k6's own metrics, for its outputs and for its summary. */
export class Metrics {
  readonly #arrivals: ArrivalTimes | undefined;
  readonly #runners: number | undefined;
  readonly #latency = new Trend("latency", true);
  readonly #scheduleLag = new Trend("schedule_lag", true);
  readonly #outcomes = new Counter("outcomes");
  readonly #exceptions = new Counter("exceptions");
  readonly #serverErrors = new Rate("server_errors");
  readonly #technicalFailures = new Rate("technical_failures");

  /** `arrivals` are those of an open profile. */
  constructor(arrivals: ArrivalTimes | undefined, runners: number | undefined) {
    this.#arrivals = arrivals;
    this.#runners = runners;
  }

  /** Counts an iteration that starts, and tags all samples of it; returns for how many milliseconds it has been due. */
  iteration(operation: string, iteration: number, startedMs: number): number {
    execution.vu.metrics.tags.operation = operation;
    if (!this.#arrivals) return 0;
    const { least, most } = this.#arrivals.latenessMs(iteration, startedMs, this.#runners);
    this.#scheduleLag.add(most);
    return least;
  }

  response(operation: string, outcome: Outcome, latencyMs: number): void {
    const tags = { name: operation };
    // A connection that was never made does not show how fast the operation is.
    if (outcome !== "connection-error") this.#latency.add(latencyMs, tags);
    this.#outcomes.add(1, { name: operation, outcome });
    this.#serverErrors.add(outcome === "server-error", tags);
    this.#technicalFailures.add(isTechnicalFailure(outcome), tags);
    check(outcome, { "the response has its documented shape": (value) => value !== "malformed" }, tags);
  }

  exception(): void {
    this.#exceptions.add(1);
  }
}
