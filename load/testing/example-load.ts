import { type ProfileName, profiles, type Settings } from "../k6/profiles.ts";
import { type Step, type Steps, type WorkloadName, workloads } from "../k6/requests.ts";
import type { MoneyCall } from "../launch/money.ts";
import { requestRow } from "../launch/request-rows.ts";
import type { Prepared, PreparedStep } from "../launch/templates.ts";
import type { Trial } from "../launch/trials.ts";
import type { Entry } from "../results/recording/lines.ts";
import type { Invariant } from "../results/result.ts";

export const workloadNames = Object.keys(workloads) as WorkloadName[];
export const profileNames = Object.keys(profiles) as ProfileName[];

const template = { url: "", headers: {}, body: null };

/** A workload whose transfers have an amount of 100, and the other requests none. */
function preparedOf(steps: Steps): Prepared {
  const prepared = (step: Step): PreparedStep => ({
    ...step,
    row: requestRow(step.operation),
    template,
    ...(step.operation === "createTransfer" && { stakeAt: () => 100 }),
  });
  const trials: Trial[] = [{ operation: "createTransfer", stake: 100 }];
  return { steps: steps.map(prepared), pools: {}, trials, missing: [] };
}

/** The workload `transfers`, each transfer with an amount of 100. */
export const PREPARED_TRANSFERS = preparedOf(workloads.transfers);

/** The settings of a run. */
export const exampleSettings = (workload: WorkloadName, profile: ProfileName): Settings => ({
  runId: "0",
  timeoutMs: 10_000,
  reach: template,
  workload,
  steps: preparedOf(workloads[workload]).steps,
  profile: { name: profile, ...profiles[profile] },
});

export const transfersOf100 = (references: readonly string[]): MoneyCall[] =>
  references.map((reference) => ({ operation: "createTransfer", reference, amount: 100 }));

/** Invariants in short: `L1 held, L2 broken <reference> <reference>`. */
export const inShort = (invariants: readonly Invariant[]) =>
  invariants.map(({ id, state, references }) => [id, state, ...references].join(" ")).join(", ");

/** Responses, written as `reference outcome identifier`: by default, it is accepted with an identifier of its own. */
export const responses = (text: string): Entry[] =>
  text.split(", ").map((one) => {
    const [reference = "", outcome = "accepted", identifier] = one.split(" ");
    const own = outcome === "accepted" ? `T-${reference}` : null;
    return {
      operation: "createTransfer",
      reference,
      outcome: outcome as Entry["outcome"],
      status: 200,
      identifier: identifier === "-" ? null : (identifier ?? own),
    };
  });
