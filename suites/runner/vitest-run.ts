import { fileURLToPath } from "node:url";
import {
  BaseSequencer,
  createVitest,
  type InlineConfig,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { ledgerPathOf } from "../../fixtures/engine/ledger/ledger-file.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import { type RunSettings, SHARED_BYTES } from "../../fixtures/engine/run/run.ts";
import { PhaseModules } from "./phases.ts";
import type { Plan } from "./plan.ts";

/** vitest resolves its packages from here. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A check that takes longer hangs; settling and waiting take far less. */
const LONGEST_CHECK_MS = 15 * 60_000;
/** Checks of one phase that may run at the same time. */
const CONCURRENT_CHECKS = 24;

/** Keeps the order in which the files are given. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files;
  }

  override async shard(files: TestSpecification[]) {
    return files;
  }
}

/** vitest, opened on the checks. */
export interface CheckRunner {
  readonly vitest: Vitest;
  /** Runs the checks of these files, phase by phase, in a new worker: each once for every run that selects it. */
  run(runs: readonly RunSettings[], files: Iterable<string>): Promise<void>;
}

/** Opens vitest on the checks: one worker thread, shared state, one phase after the other. */
export async function openVitest(reporters: InlineConfig["reporters"]): Promise<CheckRunner> {
  const modules = new PhaseModules();
  const vitest = await createVitest(
    "test",
    {
      root: ROOT,
      config: false,
      watch: false,
      include: ["suites/**/*.check.ts"],
      pool: "threads",
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      sequence: { concurrent: true, sequencer: GivenOrder },
      maxConcurrency: CONCURRENT_CHECKS,
      testTimeout: LONGEST_CHECK_MS,
      // In most runs, no check is postponed.
      passWithNoTests: true,
      includeTaskLocation: false,
      reporters: reporters ?? [{}],
    },
    { server: { watch: null }, logLevel: "silent", plugins: [modules.plugin] },
  );
  await vitest.standalone();
  let started = 0;
  const run: CheckRunner["run"] = async (runs, files) => {
    vitest.provide("runs", runs);
    const suffix = started > 0 ? `-${started}` : "";
    started += 1;
    const project = vitest.getRootProject();
    const specifications = modules.declare(files, suffix).map((path) => project.createSpecification(path));
    await vitest.runTestSpecifications(specifications, true);
  };
  return { vitest, run };
}

/** What a run of the checks is made from. */
interface RunInputs extends Pick<RunSettings, "runId" | "seed" | "target" | "hardened"> {
  /** The run's folder. */
  readonly directory: string;
  readonly keepsExchanges: boolean;
  readonly checks: readonly { readonly id: string }[];
  readonly found: Preflight;
  /** What the run may pay; without it, only the operator's caps apply. */
  readonly plan?: Plan;
}

/** The settings of a run, for the worker. */
export function settingsOf({
  directory,
  keepsExchanges,
  checks,
  found: { pathForms, bothForms, unreadable },
  plan,
  ...run
}: RunInputs): RunSettings {
  const { MAX_PAYOUTS = Number.POSITIVE_INFINITY, MAX_PAYOUT_TOTAL: total = null } = run.target.values;
  const most = Math.min(MAX_PAYOUTS, plan?.most ?? Number.POSITIVE_INFINITY);
  const ids = checks.map(({ id }) => id);
  const rootCause = ids.find((id) => id === `${unreadable}/accepted`);
  const expected = plan && { expected: { count: plan.count, total: plan.total } };
  return {
    ...run,
    checks: ids,
    ...(keepsExchanges && { directory }),
    pathForms,
    bothForms,
    ...(rootCause && { rootCause }),
    ledger: {
      path: ledgerPathOf(run.target, directory),
      caps: { count: Number.isFinite(most) ? most : null, total, ...expected },
    },
    stop: new SharedArrayBuffer(SHARED_BYTES),
  };
}
