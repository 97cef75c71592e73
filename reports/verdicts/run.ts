import { z } from "zod";
import { Baseline, type SinceBaseline } from "./baseline.ts";
import type { Decision } from "./outcome.ts";
import type { CheckResult, Created, Money, Observation, Traffic, Verdict } from "./verdict.ts";
import { Waiver } from "./waivers.ts";

/** VALID_DAYS, if the operator does not set it. */
export const DEFAULT_VALID_DAYS = 90;

/** Where a run had its variables from: the environment, a file whose path is given, or the embedded sandbox. */
const KeySource = z.object({
  from: z.enum(["environment", "env-file", "key-file", "sandbox"]),
  path: z.string().exactOptional(),
});
export type KeySource = z.infer<typeof KeySource>;

/** What is known before the first check of a run. */
export const RunStarted = z.looseObject({
  type: z.literal("run"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.string(),
    environment: z.enum(["sandbox", "live"]),
    embedded: z.boolean(),
    pathForms: z.record(z.string(), z.enum(["bare", "prefixed"])),
  }),
  startedAt: z.iso.datetime(),
  seed: z.number(),
  command: z.enum(["certify", "gate"]),
  /** The command with its options, as the operator typed it. */
  commandLine: z.string(),
  /** Where the secret key came from; tells a reader how to load it into a shell. */
  keySource: KeySource.exactOptional(),
  strict: z.boolean(),
  hardened: z.boolean(),
  /** The operator selected some of the checks. */
  selected: z.boolean(),
  outOfScope: z.array(z.string()),
  /** The ids of all checks of this version, including those that were not selected. */
  registered: z.array(z.string()),
  waivers: z.array(Waiver),
  /** For how many days a certificate of the run is valid. */
  validDays: z.number().default(DEFAULT_VALID_DAYS),
  /** The earlier run whose failures are known. */
  baseline: Baseline.exactOptional(),
});
export type RunStarted = z.infer<typeof RunStarted>;

export const VERDICTS_FILE = "verdicts.json";

/** What `verdicts.json` repeats of the beginning of its run. */
export const Known = RunStarted.pick({
  suite: true,
  target: true,
  startedAt: true,
  seed: true,
  strict: true,
  hardened: true,
  selected: true,
  outOfScope: true,
  waivers: true,
  validDays: true,
  keySource: true,
}).strip();

/** The content of `verdicts.json`; `schema` is the version of its shape. */
export interface Verdicts extends z.infer<typeof Known>, Decision {
  readonly schema: "payments-conformance/verdicts@1";
  readonly finishedAt: string;
  readonly command: string;
  /** What changed since the baseline, if the run has one. */
  readonly baseline?: SinceBaseline;
  /** What went wrong in addition to the checks, one line each. */
  readonly problems: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
  readonly created: readonly Created[];
  readonly money: Money;
  /** Absent if the run broke before it could count. */
  readonly traffic?: Traffic;
  /** The number of checks by verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** The SHA-256 of every other file of the run, by its path below the run's folder. */
  readonly digests: Readonly<Record<string, string>>;
}
