import type { Options } from "k6/options";
import { type ClientKind, longestMs } from "../client.ts";
import type { Settings } from "../settings.ts";
import { ArrivalTimes } from "./arrivals.ts";
import type { Profile } from "./profiles.ts";

const CLOSED_MODEL_VUS = 3;
/** The response time that the first virtual users (VUs) can serve at least; k6 adds more if responses take longer. */
const EXPECTED_SECONDS = 0.25;
/** k6 drops an iteration for each VU that it has to add, so a slow run starts with enough of them for its first second. */
const FEWEST_VUS = 30;
/** Half as many VUs again, for slow responses. */
const VU_RESERVE = 1.5;
/** Of one runner; each VU opens a connection of its own. */
const MAX_VUS = 2000;
/** A closed run of a slow target ends after ten times its planned duration and a minute. */
const CLOSED_MODEL_PATIENCE = { factor: 10, seconds: 60 };

/** Not `url`: every lookup has a URL of its own, and the name is enough. */
const TAGS = ["name", "method", "status", "scenario", "error_code", "check", "expected_response"] as const;

/** Where the launcher does not watch the load, k6 itself ends it when most responses are server errors. */
const STOP_RULE = {
  server_errors: [{ threshold: "rate<=0.5", abortOnFail: true, delayAbortEval: "30s" }],
};

/** The options of k6. What the run must achieve is judged afterwards, from its log. */
export function optionsOfRun(settings: Settings): Options {
  const { profile, client, runId, workload, certificate, runners, expectedSeconds } = settings;
  return {
    ...optionsOf(profile, client, runners, expectedSeconds),
    ...(runners && { thresholds: STOP_RULE }),
    tags: { run: runId, workload, profile: profile.name },
    summaryTrendStats: ["count", "avg", "min", "med", "p(95)", "p(99)", "max"],
    systemTags: settings.metrics ? [...TAGS] : [],
    // A redirect would get the key.
    maxRedirects: 0,
    ...(certificate && { tlsAuth: [certificate] }),
  };
}

/** The most iterations that a run of `profile` starts. */
export const iterationsOf = (profile: Profile): number =>
  profile.model === "open"
    ? new ArrivalTimes(profile).count
    : Math.max(1, Math.ceil(profile.rate * profile.seconds));

/** Milliseconds after which a run starts nothing more, however slow the target is. */
export function maxDurationMs({ model, seconds }: Profile): number {
  const { factor, seconds: extra } = CLOSED_MODEL_PATIENCE;
  return (model === "open" ? seconds : seconds * factor + extra) * 1000;
}

/** How many virtual users a run of one runner begins with. */
export const firstVus = (profile: Profile, client: ClientKind, expectedSeconds = 0): number =>
  profile.model === "open" ? vusOf(profile, client, 1, expectedSeconds).first : CLOSED_MODEL_VUS;

/** The VUs of one of the runners of an open profile: at the start, enough for responses that take as long as expected, and at most. */
export function vusOf({ rate }: Profile, client: ClientKind, runners: number, expectedSeconds = 0) {
  const vusFor = (seconds: number) =>
    Math.min(MAX_VUS, Math.max(2, Math.ceil((rate / runners) * seconds * VU_RESERVE)));
  const most = vusFor(longestMs(client) / 1000);
  const first = Math.max(FEWEST_VUS, vusFor(Math.max(EXPECTED_SECONDS, expectedSeconds)));
  return { first: Math.min(first, most), most };
}

/**
 * The scenario of `profile`, of which each of the `runners` takes its part; the last iterations get all the time that
 * such a client may take.
 */
export function optionsOf(profile: Profile, client: ClientKind, runners = 1, expectedSeconds = 0): Options {
  const gracefulStop = `${longestMs(client) + 2000}ms`;
  if (profile.model === "closed") {
    const iterations = iterationsOf(profile);
    const vus = Math.min(CLOSED_MODEL_VUS, iterations);
    const maxDuration = `${maxDurationMs(profile)}ms`;
    return {
      scenarios: { load: { executor: "shared-iterations", vus, iterations, maxDuration, gracefulStop } },
      minIterationDuration: `${Math.ceil((vus / profile.rate) * 1000)}ms`,
    };
  }
  const { first, most } = vusOf(profile, client, runners, expectedSeconds);
  const load = {
    executor: "ramping-arrival-rate",
    ...new ArrivalTimes(profile).toExecutor(),
    // With as many VUs for each runner, k6 deals the iterations out in turns.
    preAllocatedVUs: first * runners,
    maxVUs: most * runners,
    gracefulStop,
  } as const;
  return { scenarios: { load } };
}
