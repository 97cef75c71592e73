import { type Sum, sumOf } from "../../fixtures/engine/ledger/entries.ts";
import { groupBy } from "../../reports/grouping.ts";
import { formatAmount, plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import type { ClientKind } from "../k6/client.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import type { References } from "../k6/templates/reference.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import type { Entry } from "../reconcile/journal.ts";
import type { Prepared } from "./templates.ts";
import { referenceOf, type When } from "./trials.ts";

export interface MoneyCall {
  readonly operation: OperationName;
  readonly reference: string;
  readonly amount: number;
}

/**
 * Lists every request that may move money: the trials before the load, the load with its repeats and all that the client may
 * send again, the trials after it.
 */
export function moneyCalls(
  references: References,
  prepared: Prepared,
  iterations: number,
  client: Pick<ClientKind, "resends">,
): MoneyCall[] {
  const ofLoad = loadCalls(references, prepared, iterations, client);
  return [
    ...trialCalls("before", references, prepared),
    ...ofLoad,
    ...trialCalls("after", references, prepared),
  ];
}

/** Lists those that precede or follow a load, to see what works. */
export const trialCalls = (
  when: When,
  references: References,
  { trials }: Pick<Prepared, "trials">,
): MoneyCall[] =>
  trials.flatMap((trial) => {
    const { operation, stake: amount } = trial;
    return amount === undefined
      ? []
      : [{ operation, reference: referenceOf(when, trial, references), amount }];
  });

/** Lists those of the load itself: all of them, or those of one of several runners, counted from 0. */
export function loadCalls(
  references: References,
  { steps }: Pick<Prepared, "steps">,
  iterations: number,
  { resends }: Pick<ClientKind, "resends">,
  { runner = 0, runners = 1 } = {},
): MoneyCall[] {
  const schedule = new Schedule(steps);
  const calls: MoneyCall[] = [];
  for (let iteration = runner; iteration < iterations; iteration += runners) {
    const { step, origin } = schedule.requestAt(iteration);
    const amount = step.stakeAt?.(origin);
    if (amount === undefined) continue;
    const call = { operation: step.operation, reference: references.at(origin), amount };
    for (let time = 0; time <= resends; time += 1) calls.push(call);
  }
  return calls;
}

/** How many calls, and the sum of their amounts. */
export const sumOfCalls = (calls: readonly Pick<MoneyCall, "amount">[]): Sum =>
  sumOf(calls.map(({ amount }) => amount));

const LIST = new Intl.ListFormat("en-GB");

/** Describes calls in words: `25 transfers, 404,600.00 in total`. */
export function describeMoney(calls: readonly MoneyCall[]): string {
  const kinds = [...groupBy(calls, ({ operation }) => operation)].map(([operation, { length }]) =>
    plural(length, contract[operation].noun.replace(/^an? /, "")),
  );
  return `${LIST.format(kinds)}, ${formatAmount(sumOfCalls(calls).total)} in total`;
}

/**
 * Lists the references of an interrupted run that may have been sent without a response: those without a journal
 * entry, up to `inFlight` references after the last one that has an entry.
 */
export function unansweredOf(
  calls: readonly MoneyCall[],
  entries: readonly Entry[],
  inFlight: number,
): string[] {
  const answered = new Set(entries.map(({ reference }) => reference));
  const inOrder = [...new Set(calls.map(({ reference }) => reference))];
  const last = inOrder.findLastIndex((reference) => answered.has(reference));
  return inOrder.slice(0, last + 1 + inFlight).filter((reference) => !answered.has(reference));
}
