import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "../command-line/json-file.ts";
import { Outcome } from "./outcome.ts";
import { CheckResult, Created, type Frozen, Money, Observation, Traffic, Verdict } from "./verdict.ts";
import { Waiver } from "./waivers.ts";

/** What is known before the first check of a run. */
export const RunStarted = z.object({
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
  pid: z.number().exactOptional(),
  seed: z.number(),
  command: z.enum(["certify", "gate"]),
  /** The command with its options, as the operator typed it. */
  commandLine: z.string(),
  strict: z.boolean(),
  /** Judged by the letter of the specification alone (`--letter`): critical findings only warn. */
  letter: z.boolean(),
  selected: z.boolean(),
  outOfScope: z.array(z.string()),
  waivers: z.array(Waiver),
  validDays: z.number(),
});
export type RunStarted = Frozen<z.infer<typeof RunStarted>>;

export const VERDICTS_FILE = "verdicts.json";

/** What `verdicts.json` repeats of the beginning of its run. */
export const Known = RunStarted.omit({ type: true, pid: true, command: true, commandLine: true });

/** The content of `verdicts.json`; `schema` is the version of its shape. */
const verdicts = z.object({
  ...Known.shape,
  schema: z.literal("payments-conformance/verdicts@1"),
  finishedAt: z.iso.datetime(),
  command: z.string(),
  outcome: Outcome,
  exitCode: z.number(),
  because: z.string(),
  /** What went wrong in addition to the checks, one line each. */
  problems: z.array(z.string()),
  checks: z.array(CheckResult),
  observations: z.array(Observation),
  created: z.array(Created),
  money: Money,
  /** Absent if the run broke before it could count. */
  traffic: Traffic.exactOptional(),
  counts: z.partialRecord(Verdict, z.number()),
  /** The SHA-256 of every other file of the run, by its path below the run's folder. */
  digests: z.record(z.string(), z.string()),
});
export type Verdicts = Frozen<z.infer<typeof verdicts>>;

/** Reads the `verdicts.json` of a run's folder; throws a `CommandError` (2) with one line if there is none. */
export function readVerdicts(directory: string): Verdicts {
  const path = join(directory, VERDICTS_FILE);
  const hint = "name the folder of a finished run, of this version";
  return readJsonFile("", path, verdicts, hint);
}
