import { groupBy } from "../../reports/text/grouping.ts";
import { formatAmount, plural } from "../../reports/text/wording.ts";
import { contract } from "../../schemas/contract.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import type { References } from "../k6/reference.ts";
import type { Schedule } from "../k6/schedule.ts";
import type { Entry } from "../reconcile/journal.ts";
import type { Prepared } from "./templates.ts";

export interface MoneyCall {
  readonly operation: OperationName;
  readonly reference: string;
  readonly amount: number;
}

/** Lists every request that may move money: the control transfer, the load with its repeats, the recovery transfer. */
export function moneyCalls(
  references: References,
  schedule: Schedule,
  iterations: number,
  { stakes, templates }: Prepared,
): MoneyCall[] {
  const calls: MoneyCall[] = [];
  const add = (operation: OperationName, reference: string) => {
    const amount = stakes.get(operation);
    if (amount !== undefined) calls.push({ operation, reference, amount });
  };
  if (templates.createTransfer) add("createTransfer", references.control);
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.requestAt(iteration);
    add(step.operation, references.at(origin));
  }
  if (templates.createTransfer) add("createTransfer", references.recovery);
  return calls;
}

export const sumOf = (calls: readonly Pick<MoneyCall, "amount">[]) => ({
  count: calls.length,
  total: calls.reduce((sum, { amount }) => sum + amount, 0),
});

const LIST = new Intl.ListFormat("en-GB");

/** Describes calls in words: `25 transfers, 404,600.00 in total`. */
export function describeMoney(calls: readonly MoneyCall[]): string {
  const kinds = [...groupBy(calls, ({ operation }) => operation)].map(([operation, { length }]) =>
    plural(length, contract[operation].noun.replace(/^an? /, "")),
  );
  return `${LIST.format(kinds)}, ${formatAmount(sumOf(calls).total)} in total`;
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
