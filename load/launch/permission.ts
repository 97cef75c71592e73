import { isLoopback } from "../../fixtures/engine/config/hosts.ts";
import { isOutOfScope, type Target } from "../../fixtures/engine/config/target.ts";
import { variable } from "../../fixtures/engine/config/variables.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { plural } from "../../reports/wording.ts";
import type { Profile } from "../k6/traffic/profiles.ts";
import type { Schedule } from "../k6/traffic/schedule.ts";
import { describeMoney, type MoneyCall, sumOfCalls } from "./money.ts";
import type { Prepared } from "./templates.ts";

/** Requests per second that a remote target gets without LOAD_TARGET: hosted sandboxes are not made for load. */
const MAX_RATE_WITHOUT_CONSENT = 20;

/** A load run as it is planned, before anything is sent. */
export interface PlannedLoad {
  readonly workload: string;
  readonly profile: Profile;
  readonly prepared: Prepared;
  readonly calls: readonly MoneyCall[];
}

/** Throws a {@link CommandError} if the configuration does not fit the load (2) or the load is not allowed (3). */
export function requirePermission(target: Target, load: PlannedLoad) {
  const problems = [...misfits(target, load)];
  if (problems.length > 0) throw new CommandError(2, problems);
  const [prohibition] = prohibitions(target, load);
  if (prohibition) throw new CommandError(3, [`${prohibition}; nothing was sent`]);
}

function* misfits(target: Target, { workload, profile: { rate }, prepared }: PlannedLoad) {
  const operations = new Set(prepared.steps.map(({ operation }) => operation));
  const excluded = [...operations].filter((id) => isOutOfScope(target, id));
  if (excluded.length > 0)
    yield `OUT_OF_SCOPE excludes ${excluded.join(", ")}, which the workload ${workload} sends: choose another workload`;
  for (const name of prepared.missing) {
    const { about, example } = variable(name);
    yield `${name} is missing, and the workload ${workload} needs it (${about}; for example ${example})`;
  }
  const { RATE_LIMIT: limit } = target.values;
  if (limit !== undefined && rate > limit)
    yield `the load of ${rate} requests/s is above RATE_LIMIT=${limit}: set RATE to ${limit} or less`;
}

function* prohibitions({ environment, baseUrl, allow, embedded, values }: Target, load: PlannedLoad) {
  if (environment === "live") yield "ENVIRONMENT=live: load tests never run against a live deployment";
  const { rate } = load.profile;
  const { hostname } = new URL(baseUrl);
  if (!isLoopback(hostname) && rate > MAX_RATE_WITHOUT_CONSENT && values.LOAD_TARGET !== hostname)
    yield `a load of ${rate} requests/s on ${hostname} needs your consent: set LOAD_TARGET=${hostname}, or RATE to ${MAX_RATE_WITHOUT_CONSENT} or less`;
  if (load.calls.length === 0) return;
  const money = describeMoney(load.calls);
  if (!allow.payouts)
    yield `the load moves test money (${money}) and needs your consent: set ALLOW_PAYOUTS=true, MAX_PAYOUTS and MAX_PAYOUT_TOTAL`;
  const { MAX_PAYOUTS: maxCount = Infinity, MAX_PAYOUT_TOTAL: maxTotal = Infinity } = values;
  const { count, total } = sumOfCalls(load.calls);
  if (!embedded && (count > maxCount || total > maxTotal))
    yield `the load moves more than MAX_PAYOUTS=${maxCount} or MAX_PAYOUT_TOTAL=${maxTotal} allows (${money}): raise them, or lower RATE or DURATION`;
}

/** Throws a {@link CommandError} (2) if a run is too short for its workload or too long for its references. */
export function requireLength(workload: string, schedule: Schedule, iterations: number, max: number) {
  const { minIterations } = schedule;
  if (iterations < minIterations)
    throw new CommandError(2, [
      `the run is too short: it has ${plural(iterations, "request")}, and ${workload} needs ${minIterations} to send each of its operations; raise RATE or DURATION`,
    ]);
  if (iterations > max)
    throw new CommandError(2, [
      `the run is too long: it has ${iterations} requests, and there are references for ${max}; lower RATE or DURATION`,
    ]);
}
