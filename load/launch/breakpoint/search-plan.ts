import type { Target } from "../../../fixtures/config/target.ts";
import type { Sum } from "../../../fixtures/ledger/ledger.ts";
import { CommandError } from "../../../reports/text/command.ts";
import { formatAmount, plural } from "../../../reports/text/wording.ts";
import { mostOf, ratesUpTo } from "../../breakpoint/search.ts";
import { clientOf } from "../../k6/client.ts";
import { iterationsOf } from "../../k6/traffic/executor.ts";
import { profiles, secondsOf } from "../../k6/traffic/profiles.ts";
import { Schedule } from "../../k6/traffic/schedule.ts";
import { type MoneyCall, moneyByLength, sumOfCalls } from "../money-calls.ts";
import type { SearchOptions } from "../options.ts";
import { type Plan, planOf } from "../plan.ts";
import type { Prepared } from "../templates.ts";

/** Builds a load without sending it, and refuses what is not allowed. */
export type DraftOf = (
  plan: Plan,
  target: Target,
) => Promise<{ readonly prepared: Prepared; readonly calls: readonly MoneyCall[] }>;

/** One run of a search, of the profile `breakpoint` (a ramp up to the rate) or `average` (the rate all the time). */
export interface SearchRun {
  readonly profile: "breakpoint" | "average";
  readonly rate: number;
  readonly seconds: number;
}

/** What a search will do. */
export interface SearchPlan {
  readonly about: Plan["about"];
  readonly objectives: Plan["objectives"];
  readonly ramp: SearchRun;
  /** The rates that it may try, ascending. */
  readonly rates: readonly number[];
  /** How long each rate must be held. */
  readonly seconds: number;
  /** The most that it does, with the ramp. */
  readonly most: { readonly runs: number; readonly requests: number; readonly money: Sum };
}

/**
 * Plans a search: RATE is its highest rate, and DURATION the time for which a rate must be held. Throws a
 * {@link CommandError}: 2 if the configuration does not fit, 3 if its highest rate or all that it may move is not allowed.
 */
export async function planSearch(
  options: SearchOptions,
  target: Target,
  draftOf: DraftOf,
): Promise<SearchPlan> {
  const { RATE: top = profiles.average.rate, DURATION: duration } = target.values;
  const seconds = (duration === undefined ? undefined : secondsOf(duration)) ?? profiles.average.seconds;
  const scaled = (profiles.breakpoint.seconds / profiles.average.seconds) * seconds;
  const ramp: SearchRun = { profile: "breakpoint", rate: top, seconds: scaled };
  const planFor = (run: SearchRun) =>
    planOf({ ...options, profile: run.profile, outputs: [] }, configuredFor(target, run));

  const [rampPlan, highest] = [planFor(ramp), planFor({ profile: "average", rate: top, seconds })];
  const { iterations: rampIterations, steps } = rampPlan.about;
  const rampMoney = sumOfCalls((await draftOf(rampPlan, target)).calls);
  const { prepared } = await draftOf(highest, target);
  const { minIterations } = new Schedule(steps);
  const holds = ratesUpTo(top)
    .map((rate) => ({ rate, iterations: iterationsOf(atRate(highest, rate)) }))
    .filter(({ iterations }) => iterations >= minIterations);
  const lengths = holds.map(({ iterations }) => iterations);
  const money = moneyByLength(prepared, lengths, clientOf(options.client, target.timeoutMs));
  const most = {
    runs: mostOf(holds.map(() => 1)),
    requests: rampIterations + mostOf(lengths),
    money: {
      count: rampMoney.count + mostOf(money.map(({ count }) => count)),
      total: rampMoney.total + mostOf(money.map(({ total }) => total)),
    },
  };
  requireRoom(target, most.money);
  return {
    about: highest.about,
    objectives: highest.objectives,
    ramp,
    rates: holds.map(({ rate }) => rate),
    seconds,
    most,
  };
}

/** The variables that make a run of a search of an ordinary run. */
export const variablesOf = ({ rate, seconds }: SearchRun) => ({
  RATE: `${rate}`,
  DURATION: `${Math.round(seconds * 1000)}ms`,
});

function configuredFor(target: Target, run: SearchRun): Target {
  const { DURATION } = variablesOf(run);
  return { ...target, values: { ...target.values, RATE: run.rate, DURATION } };
}

const atRate = ({ about: { profile } }: Plan, rate: number) => ({
  ...profile,
  rate,
  stages: (profile.stages ?? []).map((stage) => ({ ...stage, rate })),
});

/** The ledger holds each run to the caps; a search must keep them in all its runs together. */
function requireRoom({ embedded, values }: Target, { count, total }: Sum) {
  const { MAX_PAYOUTS: maxCount = Infinity, MAX_PAYOUT_TOTAL: maxTotal = Infinity } = values;
  if (embedded || (count <= maxCount && total <= maxTotal)) return;
  throw new CommandError(3, [
    `the search may move more than MAX_PAYOUTS=${maxCount} or MAX_PAYOUT_TOTAL=${maxTotal} allows (at most ${moneyText({ count, total })}): raise them, or lower RATE or DURATION; nothing was sent`,
  ]);
}

/** Writes what may be moved: `1,200 money calls, 120,000.00 in total`. */
export const moneyText = ({ count, total }: Sum) =>
  `${plural(count, "money call")}, ${formatAmount(total)} in total`;
