import { join } from "node:path";
import type { Preflight } from "../fixtures/preflight.ts";
import type { RunSettings } from "../fixtures/run.ts";
import type { Target } from "../fixtures/target.ts";

/** What decides the settings of one run of the checks. */
export interface Occasion {
  readonly runId: string;
  /** The run's folder. */
  readonly directory: string;
  readonly seed: number;
  readonly hardened: boolean;
  /** Allure's reporter listens. */
  readonly allure: boolean;
  readonly target: Target;
  readonly found: Preflight;
}

/** What the worker is told: the embedded sandbox keeps its ledger in the run's folder and has no caps. */
export function settingsOf({
  runId,
  directory,
  seed,
  hardened,
  allure,
  target,
  found,
}: Occasion): RunSettings {
  const { host } = new URL(target.baseUrl);
  const caps = { count: target.values.MAX_PAYOUTS ?? null, total: target.values.MAX_PAYOUT_TOTAL ?? null };
  return {
    runId,
    seed,
    target,
    directory,
    pathForms: found.pathForms,
    bothForms: found.bothForms,
    ledger: {
      path: target.embedded
        ? join(directory, "ledger.jsonl")
        : join("reports/ledger", `${host.replace(":", "_")}.jsonl`),
      caps: target.embedded ? { count: null, total: null } : caps,
    },
    stop: new SharedArrayBuffer(4),
    hardened,
    allure,
  };
}
