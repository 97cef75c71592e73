import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command-line/command.ts";
import type { Baseline } from "./baseline.ts";
import { Known, VERDICTS_FILE, type Verdicts } from "./run.ts";
import { CheckResult, Created, Money, Observation, Traffic } from "./verdict.ts";

// Members that another version adds are kept.
const VerdictsFile: z.ZodType<Verdicts> = z.looseObject({
  ...Known.shape,
  schema: z.literal("payments-conformance/verdicts@1"),
  waivers: Known.shape.waivers.default([]),
  finishedAt: z.iso.datetime(),
  command: z.string(),
  outcome: z.enum(["conformant", "non-conformant", "not-fully-verified", "refused", "interrupted", "error"]),
  exitCode: z.number(),
  because: z.string(),
  problems: z.array(z.string()),
  checks: z.array(CheckResult.loose()),
  observations: z.array(Observation.loose()),
  created: z.array(Created.loose()),
  money: Money.loose(),
  traffic: Traffic.loose().exactOptional(),
  counts: z.record(z.string(), z.number()),
  digests: z.record(z.string(), z.string()),
});

/** Reads a baseline, as {@link readVerdicts} does. */
export function readBaseline(path: string): Baseline {
  const { startedAt, checks } = readVerdicts(path);
  return { path, startedAt, verdicts: Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])) };
}

/** Reads a `verdicts.json` or that of a run's folder; throws a {@link CommandError} (2) with one line if it is not one. */
export function readVerdicts(fileOrFolder: string): Verdicts {
  const isFolder = statSync(fileOrFolder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = isFolder ? join(fileOrFolder, VERDICTS_FILE) : fileOrFolder;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new CommandError(2, [`${path} ${problem}: name the folder of a finished run or its verdicts.json`]);
  }
  const found = VerdictsFile.safeParse(value);
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const where = z.core.toDotPath(problem?.path ?? []);
  throw new CommandError(2, [
    `${path} is not a verdicts.json of this version: ${problem?.message} at ${where}`,
  ]);
}
