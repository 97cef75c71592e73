import type { Target } from "../../fixtures/engine/config/target.ts";
import { ledgerPathOf } from "../../fixtures/engine/ledger/ledger-file.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import { type RunSettings, SHARED_BYTES } from "../../fixtures/engine/run/run.ts";
import type { Plan } from "./plan.ts";

/** What the settings of one run of the checks are made from. */
export interface Occasion {
  readonly runId: string;
  /** The run's folder. */
  readonly directory: string;
  /** Whether somebody reads the exchanges. */
  readonly keepsExchanges: boolean;
  readonly seed: number;
  readonly checks: readonly { readonly id: string }[];
  readonly hardened: boolean;
  readonly target: Target;
  /** What the run may pay; without it, only the operator's caps apply. */
  readonly plan?: Plan;
  readonly found: Preflight;
}

/** The settings for the worker. */
export function settingsOf({
  runId,
  directory,
  keepsExchanges,
  seed,
  checks,
  hardened,
  target,
  plan,
  found,
}: Occasion): RunSettings {
  const { MAX_PAYOUTS = Number.POSITIVE_INFINITY, MAX_PAYOUT_TOTAL = null } = target.values;
  const rootCause = `${found.unreadable}/accepted`;
  const most = Math.min(MAX_PAYOUTS, plan?.most ?? Number.POSITIVE_INFINITY);
  return {
    runId,
    seed,
    checks: checks.map(({ id }) => id),
    target,
    ...(keepsExchanges && { directory }),
    pathForms: found.pathForms,
    bothForms: found.bothForms,
    ...(checks.some(({ id }) => id === rootCause) && found.unreadable && { rootCause }),
    ledger: {
      path: ledgerPathOf(target, directory),
      caps: {
        count: Number.isFinite(most) ? most : null,
        total: MAX_PAYOUT_TOTAL,
        ...(plan && { expected: { count: plan.count, total: plan.total } }),
      },
    },
    stop: new SharedArrayBuffer(SHARED_BYTES),
    hardened,
  };
}
