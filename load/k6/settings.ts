import type { OperationName } from "./generated/requests.ts";
import { type Profile, profileNames, profiles, scale, secondsOf } from "./profiles.ts";
import type { Objectives } from "./thresholds.ts";
import { type WorkloadName, workloadNames } from "./workloads.ts";

/** Marks the place of the reference in a request template. */
export const REFERENCE = "{{reference}}";

/** The request of one operation, with {@link REFERENCE} in place of its reference. */
export interface Template {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The settings of a run, which k6 gets in its environment. */
export interface Settings {
  readonly workload: WorkloadName;
  readonly profile: Profile;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly objectives: Objectives;
  /** Contains secrets (the key, the operator's headers, account and card data), so it is only in the environment. */
  readonly templates: Readonly<Partial<Record<OperationName, Template>>>;
  /** The client certificate and its key in PEM, if the target wants one. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  readonly summaryFile: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a run; `k6 inspect` needs only WORKLOAD and PROFILE. */
export function readSettings(env: Environment): Settings {
  const workload = oneOf("WORKLOAD", env.WORKLOAD, workloadNames);
  const profile = oneOf("PROFILE", env.PROFILE, profileNames);
  const seconds = env.DURATION === undefined ? undefined : secondsOf(env.DURATION);
  const rate = env.RATE === undefined ? undefined : Number(env.RATE);
  return {
    workload,
    profile: scale(profiles[profile], rate, seconds),
    runId: env.RUN_ID ?? "inspect",
    timeoutMs: Number(env.REQUEST_TIMEOUT_MS ?? 10_000),
    objectives: JSON.parse(env.OBJECTIVES ?? "{}") as Objectives,
    templates: JSON.parse(env.TEMPLATES ?? "{}") as Settings["templates"],
    certificate: env.TLS_CERT && env.TLS_KEY ? { cert: env.TLS_CERT, key: env.TLS_KEY } : undefined,
    summaryFile: env.SUMMARY_FILE ?? "summary.json",
  };
}

function oneOf<N extends string>(variable: string, value: string | undefined, names: readonly N[]): N {
  const name = names.find((known) => known === value);
  if (!name) throw new Error(`${variable} is ${value ?? "not set"}: expected one of ${names.join(", ")}`);
  return name;
}
