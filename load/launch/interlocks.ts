import { CommandError } from "../../fixtures/config/command-line.ts";
import { isLoopback, isOutOfScope, type Target } from "../../fixtures/config/target.ts";
import { variable } from "../../fixtures/config/variables.ts";
import { type Profile, secondsOf } from "../k6/profiles.ts";
import type { Schedule } from "../k6/schedule.ts";
import type { WorkloadName } from "../k6/workloads.ts";
import { operationsOf, type Prepared } from "./templates.ts";

/** Requests per second off loopback that need no further consent: hosted sandboxes are no load targets. */
export const UNASKED_RATE = 20;

/** RATE and DURATION, as numbers. */
export const scaleOf = ({ values }: Target) => ({
  rate: values.RATE,
  seconds: values.DURATION === undefined ? undefined : secondsOf(values.DURATION),
});

/** Refuses a load that the operator has not allowed or that would prove nothing. Throws a {@link CommandError} (2 or 3). */
export function refuseUnasked(
  target: Target,
  workload: WorkloadName,
  profile: Profile,
  prepared: Prepared,
  money: { readonly count: number; readonly total: number },
) {
  const { values } = target;
  const { hostname } = new URL(target.baseUrl);
  const excluded = operationsOf(workload).filter((id) => isOutOfScope(target, id));
  if (excluded.length > 0) {
    throw new CommandError(2, [
      `${workload} sends ${excluded.join(", ")}, which OUT_OF_SCOPE excludes: take another workload`,
    ]);
  }
  if (prepared.missing.length > 0) {
    throw new CommandError(
      2,
      prepared.missing.map(
        (name) => `${name} is missing, and ${workload} needs it (${variable(name).about})`,
      ),
    );
  }
  if (values.RATE_LIMIT !== undefined && profile.rate > values.RATE_LIMIT) {
    throw new CommandError(2, [
      `${profile.rate} requests per second are more than RATE_LIMIT=${values.RATE_LIMIT}: set RATE to less`,
    ]);
  }
  if (target.environment === "live") {
    throw new CommandError(3, ["ENVIRONMENT=live: a live deployment gets no load; nothing was sent"]);
  }
  if (!isLoopback(hostname) && profile.rate > UNASKED_RATE && values.LOAD_TARGET !== hostname) {
    throw new CommandError(3, [
      `${profile.rate} requests per second on ${hostname} are more than ${UNASKED_RATE}: set RATE to less, or allow it with LOAD_TARGET=${hostname}; nothing was sent`,
    ]);
  }
  if (money.count > 0) refuseUnaskedMoney(target, workload, money);
}

function refuseUnaskedMoney(
  target: Target,
  workload: WorkloadName,
  { count, total }: { count: number; total: number },
) {
  const { MAX_PAYOUTS: most = Infinity, MAX_PAYOUT_TOTAL: highest = Infinity } = target.values;
  if (!target.allow.payouts) {
    throw new CommandError(3, [
      `${workload} moves test money, ${count} calls of ${total} in all: allow it with ALLOW_PAYOUTS=true, MAX_PAYOUTS and MAX_PAYOUT_TOTAL; nothing was sent`,
    ]);
  }
  if (!target.embedded && (count > most || total > highest)) {
    throw new CommandError(3, [
      `${workload} makes ${count} money calls of ${total} in all, more than MAX_PAYOUTS=${most} or MAX_PAYOUT_TOTAL=${highest}: raise them, or lower RATE or DURATION; nothing was sent`,
    ]);
  }
}

/** Refuses a run too short to reach every operation of its workload, or too long for its references. */
export function refuseLength(workload: WorkloadName, schedule: Schedule, iterations: number, most: number) {
  if (iterations < schedule.shortest) {
    throw new CommandError(2, [
      `${iterations} requests do not reach every operation of ${workload}, which takes ${schedule.shortest}: raise RATE or DURATION`,
    ]);
  }
  if (iterations > most) {
    throw new CommandError(2, [
      `${iterations} requests are more than the ${most} that one run can number: lower RATE or DURATION`,
    ]);
  }
}
