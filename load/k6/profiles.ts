import type { Options } from "k6/options";

/** The shape of a load; `RATE` and `DURATION` scale it. */
export interface Profile {
  /**
   * `open`: iterations start by schedule even if earlier ones still run, so that a slow target is noticed.
   * `closed`: a few virtual users, each waiting for its response; it only shows that everything works.
   */
  readonly model: "open" | "closed";
  /** Requests per second; the maximum in the closed model. */
  readonly rate: number;
  readonly seconds: number;
}

export const profiles = {
  smoke: { model: "closed", rate: 20, seconds: 6 },
  // 20 requests per second is the most that a remote target gets without LOAD_TARGET.
  average: { model: "open", rate: 20, seconds: 60 },
  soak: { model: "open", rate: 10, seconds: 3600 },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as ProfileName[];

const CLOSED_MODEL_VUS = 3;
/** The response time that the first virtual users (VUs) can serve; k6 adds more if responses take longer. */
const EXPECTED_SECONDS = 0.25;
/** Half as many VUs again, for slow responses. */
const VU_RESERVE = 1.5;
/** Each VU opens a connection of its own. */
const MAX_VUS = 2000;
/** A closed run of a slow target ends after ten times its planned duration and a minute. */
const CLOSED_MODEL_PATIENCE = { factor: 10, seconds: 60 };

export function scale(profile: Profile, rate: number | undefined, seconds: number | undefined): Profile {
  return { ...profile, rate: rate ?? profile.rate, seconds: seconds ?? profile.seconds };
}

/** The most iterations that a run of `profile` starts. */
export function iterationsOf({ model, rate, seconds }: Profile): number {
  const iterations = Math.max(1, Math.ceil(rate * seconds));
  // An arrival-rate executor starts one iteration at each end of its duration.
  return model === "open" ? iterations + 1 : iterations;
}

/** Milliseconds after which a run starts nothing more, however slow the target is. */
export function maxDurationMs({ model, seconds }: Profile): number {
  const { factor, seconds: extra } = CLOSED_MODEL_PATIENCE;
  return (model === "open" ? seconds : seconds * factor + extra) * 1000;
}

/** The k6 options of `profile`; the last requests get their full timeout. */
export function optionsOf(profile: Profile, timeoutMs: number): Options {
  const gracefulStop = `${timeoutMs + 2000}ms`;
  return profile.model === "open"
    ? openModelOptions(profile, timeoutMs, gracefulStop)
    : closedModelOptions(profile, gracefulStop);
}

function openModelOptions({ rate, seconds }: Profile, timeoutMs: number, gracefulStop: string): Options {
  const vusFor = (responseSeconds: number) =>
    Math.min(MAX_VUS, Math.max(2, Math.ceil(rate * responseSeconds * VU_RESERVE)));
  return {
    scenarios: {
      load: {
        executor: "constant-arrival-rate",
        // k6 takes whole numbers only: a rate of 0.5 per second is 500 in 1000 s.
        rate: Math.round(rate * 1000),
        timeUnit: "1000s",
        duration: `${Math.round(seconds * 1000)}ms`,
        preAllocatedVUs: vusFor(EXPECTED_SECONDS),
        maxVUs: vusFor(timeoutMs / 1000),
        gracefulStop,
      },
    },
  };
}

function closedModelOptions(profile: Profile, gracefulStop: string): Options {
  const iterations = iterationsOf(profile);
  const vus = Math.min(CLOSED_MODEL_VUS, iterations);
  const maxDuration = `${maxDurationMs(profile)}ms`;
  return {
    scenarios: { load: { executor: "shared-iterations", vus, iterations, maxDuration, gracefulStop } },
    minIterationDuration: `${Math.ceil((vus / profile.rate) * 1000)}ms`,
  };
}

/** The seconds of a duration like `90s`, `2m` or `1h`; `undefined` if it is not a duration. */
export function secondsOf(duration: string): number | undefined {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  return Number(number) * ({ ms: 0.001, s: 1, m: 60, h: 3600 }[unit] ?? 1);
}
