import type { Options } from "k6/options";
import { ArrivalTimes } from "./arrivals.ts";
import type { Probes } from "./probes.ts";
import type { Read, ReferenceForm, Step, Template } from "./requests.ts";
import type { RequestRow } from "./responses.ts";

/** A part of a shape, during which the rate changes evenly from that of the stage before to `rate`. */
export interface Stage {
  /** 0 for a jump. */
  readonly seconds: number;
  readonly rate: number;
}

/**
 * The shape of a load; `RATE` and `DURATION` scale it. Iterations start by schedule even if earlier ones still run, so that a
 * slow target is noticed.
 */
export interface Profile {
  /** The highest rate, in iterations per second. */
  readonly rate: number;
  readonly seconds: number;
  /** It starts at the rate of the first one. */
  readonly stages: readonly Stage[];
}

/** A profile with these stages. */
export const shaped = (stages: readonly Stage[]): Profile => ({
  rate: Math.max(...stages.map(({ rate }) => rate)),
  seconds: stages.reduce((sum, { seconds }) => sum + seconds, 0),
  stages,
});

/** 20 requests per second is the most that a remote target gets without LOAD_TARGET, so no profile exceeds it. */
const PEAK = 20;
const MINUTE = 60;

const stage = (seconds: number, rate: number): Stage => ({ seconds, rate });

/** The shapes that have a name. */
export const profiles = {
  smoke: shaped([stage(6, PEAK)]),
  average: shaped([stage(MINUTE, PEAK)]),
  stress: shaped([
    stage(0, PEAK / 4),
    stage(30, PEAK / 2),
    stage(MINUTE, PEAK / 2),
    stage(30, PEAK),
    stage(MINUTE, PEAK),
    stage(30, PEAK / 4),
  ]),
  // Its last part shows whether the target recovers.
  spike: shaped([
    stage(MINUTE, PEAK / 5),
    stage(0, PEAK),
    stage(30, PEAK),
    stage(0, PEAK / 5),
    stage(90, PEAK / 5),
  ]),
  soak: shaped([stage(60 * MINUTE, PEAK / 2)]),
  breakpoint: shaped([stage(0, 1), stage(5 * MINUTE, PEAK)]),
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;

/** The same shape with another highest rate, or with another length. */
export function scale(profile: Profile, rate = profile.rate, seconds = profile.seconds): Profile {
  const longer = seconds / profile.seconds;
  const stages = profile.stages.map((stage) => ({
    seconds: stage.seconds * longer,
    rate: stage.rate * (rate / profile.rate),
  }));
  return { rate, seconds, stages };
}

/** A step and the request that it sends. */
export interface SendableStep extends Step {
  readonly template: Template;
  readonly row: RequestRow;
}

/** The settings of a run. They contain secrets, so k6 gets them as JSON in its environment variable SETTINGS. */
export interface Settings {
  readonly workload: string;
  readonly steps: readonly SendableStep[];
  readonly profile: Profile & { readonly name: string };
  readonly runId: string;
  readonly referenceForm?: ReferenceForm;
  readonly timeoutMs: number;
  readonly expectedSeconds?: number;
  /** The JSON file with the records of which requests are made. */
  readonly pool?: { readonly file: string };
  /** How many processes of k6 share the run; each has an execution segment of the same size. */
  readonly runners?: number;
  readonly probes?: Probes;
  /** A read that is sent first, to see whether k6 reaches the target. */
  readonly reach: Read;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** The response time that the first virtual users (VUs) can serve at least; k6 adds more if responses take longer. */
const EXPECTED_SECONDS = 0.25;
/** k6 drops an iteration for each VU that it has to add, so a slow run starts with enough of them for its first second. */
const FEWEST_VUS = 30;
/** Half as many VUs again, for slow responses. */
const VU_RESERVE = 1.5;
/** Of one runner; each VU opens a connection of its own. */
const MAX_VUS = 2000;

/** A server or a load balancer may drop a connection that is idle for longer, and the next request on it would be lost. */
const LONGEST_IDLE_SECONDS = 2;

/** Where the launcher does not watch the load, k6 itself ends it when most responses are server errors. */
const STOP_RULE = {
  server_errors: [{ threshold: "rate<=0.5", abortOnFail: true, delayAbortEval: "30s" }],
};

/** The options of k6. What the run must achieve is judged afterwards, from its log. */
export function optionsOfRun(settings: Settings): Options {
  const { profile, certificate, runners = 1, expectedSeconds, timeoutMs, runId, workload } = settings;
  const { first, most } = vusOf(profile, timeoutMs, runners, expectedSeconds);
  const load = {
    executor: "ramping-arrival-rate",
    ...new ArrivalTimes(profile).toExecutor(),
    // With as many VUs for each runner, k6 deals the iterations out in turns.
    preAllocatedVUs: first * runners,
    maxVUs: most * runners,
    // The last iterations get all the time for a response.
    gracefulStop: `${timeoutMs + 2000}ms`,
  } as const;
  return {
    scenarios: { load },
    ...(settings.runners && { thresholds: STOP_RULE }),
    tags: { run: runId, workload, profile: profile.name },
    // An output that a runner feeds gets k6's own tags; the name of a request replaces its URL in them.
    ...(!settings.runners && { systemTags: [] }),
    // A redirect would get the key.
    maxRedirects: 0,
    // The virtual users take turns, and at a low rate each waits long.
    noConnectionReuse: FEWEST_VUS * runners > profile.rate * LONGEST_IDLE_SECONDS,
    ...(certificate && { tlsAuth: [certificate] }),
  };
}

/** The VUs of one of the runners of a profile: at the start, enough for responses that take as long as expected, and at most. */
function vusOf({ rate }: Profile, timeoutMs: number, runners: number, expectedSeconds = 0) {
  const vusFor = (seconds: number) =>
    Math.min(MAX_VUS, Math.max(2, Math.ceil((rate / runners) * seconds * VU_RESERVE)));
  const most = vusFor(timeoutMs / 1000);
  const first = Math.max(FEWEST_VUS, vusFor(Math.max(EXPECTED_SECONDS, expectedSeconds)));
  return { first: Math.min(first, most), most };
}
