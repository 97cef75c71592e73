import { fileURLToPath } from "node:url";
import {
  BaseSequencer,
  createVitest,
  type InlineConfig,
  type Reporter,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import type { RunSettings } from "../../fixtures/run/run.ts";
import { readChecklist } from "./checklist.ts";
import { PHASES, phasesOf } from "./phases.ts";

/** The folder of the checks. */
export const SUITES = fileURLToPath(new URL("..", import.meta.url));
/** vitest resolves its packages from here. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A check that takes longer hangs; settling and waiting take far less. */
const LONGEST_CHECK_MS = 15 * 60_000;
/** Checks of one file that may run at the same time. */
const CONCURRENT_CHECKS = 24;

/** Orders the files by phase, then by name. */
class PhaseSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const phases = phasesOf(readChecklist());
    const name = ({ moduleId }: TestSpecification) => moduleId.slice(SUITES.length);
    const place = (file: TestSpecification) => PHASES.indexOf(phases.get(name(file)) ?? "answers");
    return files.toSorted((a, b) => place(a) - place(b) || name(a).localeCompare(name(b)));
  }

  override async shard(files: TestSpecification[]) {
    return files;
  }
}

/** Opens vitest on the checks: one worker thread, shared state, files one after the other. */
export function openVitest(
  reporters: InlineConfig["reporters"],
  files: readonly string[] = ["**/*.check.ts"],
): Promise<Vitest> {
  return createVitest(
    "test",
    {
      root: ROOT,
      config: false,
      watch: false,
      include: files.map((file) => `suites/${file}`),
      pool: "threads",
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true, sequencer: PhaseSequencer },
      maxConcurrency: CONCURRENT_CHECKS,
      testTimeout: LONGEST_CHECK_MS,
      includeTaskLocation: false,
      reporters: reporters ?? [{} satisfies Reporter],
    },
    { server: { watch: null }, logLevel: "silent" },
  );
}

/** Runs the checks once, in a new worker, with these settings. */
export async function runChecks(vitest: Vitest, settings: RunSettings): Promise<void> {
  vitest.provide("runs", [settings]);
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications();
  await vitest.runTestSpecifications(specifications, true);
}
