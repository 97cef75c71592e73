import type { Options } from "k6/options";

/** How a run is shaped; `RATE` and `DURATION` scale it. */
export interface Profile {
  /**
   * `open`: iterations start by schedule, whether or not earlier ones have ended, so that a stalling target is seen.
   * `closed`: a few users, each waiting for its answer; only to see that everything works.
   */
  readonly model: "open" | "closed";
  /** Requests per second; in the closed model, at most. */
  readonly rate: number;
  readonly seconds: number;
}

export const profiles = {
  smoke: { model: "closed", rate: 20, seconds: 6 },
  // 20 requests per second is what is sent off loopback without LOAD_TARGET.
  average: { model: "open", rate: 20, seconds: 60 },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as ProfileName[];

const CLOSED_USERS = 3;
/** Seconds an answer is expected to take at most; more users are added while the run needs them. */
const EXPECTED_SECONDS = 0.25;
/** No more users than this are ever added: each one is a connection of its own. */
const MOST_USERS = 2000;

/** A profile with RATE and DURATION applied to it. */
export function scale(profile: Profile, rate: number | undefined, seconds: number | undefined): Profile {
  return { ...profile, rate: rate ?? profile.rate, seconds: seconds ?? profile.seconds };
}

/** Iterations that a run of `profile` starts at most. */
export function iterationsOf({ model, rate, seconds }: Profile): number {
  const iterations = Math.max(1, Math.ceil(rate * seconds));
  // An arrival-rate executor starts one iteration at either end of its time.
  return model === "open" ? iterations + 1 : iterations;
}

/** Milliseconds after which a run has ended, however slow the target; then its last requests get their deadline. */
export const longestMs = ({ model, seconds }: Profile) =>
  (model === "open" ? seconds : seconds * 10 + 60) * 1000;

/** The k6 options that make iterations start as `profile` says. */
export function optionsOf(profile: Profile, timeoutMs: number): Options {
  const gracefulStop = `${timeoutMs + 2000}ms`;
  if (profile.model === "closed") {
    const iterations = iterationsOf(profile);
    const vus = Math.min(CLOSED_USERS, iterations);
    return {
      scenarios: {
        load: {
          executor: "shared-iterations",
          vus,
          iterations,
          maxDuration: `${longestMs(profile)}ms`,
          gracefulStop,
        },
      },
      minIterationDuration: `${Math.ceil((vus / profile.rate) * 1000)}ms`,
    };
  }
  const users = (seconds: number) =>
    Math.min(MOST_USERS, Math.max(2, Math.ceil(profile.rate * seconds * 1.5)));
  return {
    scenarios: {
      load: {
        executor: "constant-arrival-rate",
        // k6 takes whole numbers only: a rate of 0.5 per second is 500 in 1000 s.
        rate: Math.round(profile.rate * 1000),
        timeUnit: "1000s",
        duration: `${Math.round(profile.seconds * 1000)}ms`,
        preAllocatedVUs: users(EXPECTED_SECONDS),
        maxVUs: users(timeoutMs / 1000),
        gracefulStop,
      },
    },
  };
}

/** Seconds of a duration like `90s`, `2m` or `1h`; `undefined` when it is none. */
export function secondsOf(duration: string): number | undefined {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  return Number(number) * ({ ms: 0.001, s: 1, m: 60, h: 3600 }[unit] ?? 1);
}
