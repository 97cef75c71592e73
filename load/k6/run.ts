import type { Settings } from "./settings.ts";
import { STOP_RULE, thresholdsOf } from "./thresholds.ts";
import { iterationsOf, optionsOf } from "./traffic/executor.ts";
import { Schedule } from "./traffic/schedule.ts";

/** Not `url`: every lookup has a URL of its own, and the name is enough. */
const TAGS = ["name", "method", "status", "scenario", "error_code", "check", "expected_response"] as const;

/** The options of k6. */
export function optionsOfRun(settings: Settings) {
  const { steps, profile, client, runId, workload, objectives, certificate, runners } = settings;
  const { expectedSeconds } = settings;
  const schedule = new Schedule(steps);
  const iterations = iterationsOf(profile);
  const refusals = schedule.requestsIn(iterations, ({ refusal }) => refusal !== undefined);
  return {
    ...optionsOf(profile, client, runners, expectedSeconds),
    // A part of the run may send none of what the whole run sends; what all parts sent is judged afterwards.
    thresholds: runners ? STOP_RULE : thresholdsOf(schedule.requestsIn(iterations), objectives, refusals),
    tags: { run: runId, workload, profile: profile.name },
    summaryTrendStats: ["count", "avg", "min", "med", "p(95)", "p(99)", "max"],
    systemTags: settings.metrics ? [...TAGS] : [],
    // A redirect would get the key.
    maxRedirects: 0,
    ...(certificate && { tlsAuth: [certificate] }),
  };
}
