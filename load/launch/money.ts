import type { Target } from "../../fixtures/engine/config/target.ts";
import { NotTested } from "../../fixtures/engine/http/findings.ts";
import { type Reserved, sumOf } from "../../fixtures/engine/ledger/entries.ts";
import { Ledger } from "../../fixtures/engine/ledger/ledger.ts";
import {
  closeLedger,
  ledgerPathOf,
  reservedBy,
  settleReserved,
} from "../../fixtures/engine/ledger/ledger-file.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { groupBy } from "../../reports/grouping.ts";
import type { Money, Sum } from "../../reports/verdicts/verdict.ts";
import { formatAmount, listed, plural } from "../../reports/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { type References, Schedule } from "../k6/requests.ts";
import { carriedOut } from "../reconcile/evidence.ts";
import type { Entry } from "../results/recording/lines.ts";
import type { Prepared } from "./templates.ts";
import { referenceOf, type When } from "./trials.ts";

/** A request that may move money. */
export type Call = Pick<Entry, "operation" | "reference">;

export interface MoneyCall extends Call {
  readonly operation: OperationId;
  readonly amount: number;
}

/** Lists every request that may move money: the trials before the load, the load with its repeats, the trials after it. */
export function moneyCalls(references: References, prepared: Prepared, iterations: number) {
  const trials = (when: When) =>
    prepared.trials.flatMap((trial): MoneyCall[] => {
      const { operation, stake: amount } = trial;
      const reference = referenceOf(when, trial, references);
      return amount === undefined ? [] : [{ operation, reference, amount }];
    });
  const untilItsEnd = [...trials("before"), ...loadCalls(references, prepared, iterations)];
  return { untilItsEnd, calls: [...untilItsEnd, ...trials("after")] };
}

function loadCalls(references: References, { steps }: Pick<Prepared, "steps">, iterations: number) {
  const schedule = new Schedule(steps);
  const calls: MoneyCall[] = [];
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.requestAt(iteration);
    const amount = step.stakeAt?.(origin);
    if (amount === undefined) continue;
    calls.push({ operation: step.operation, reference: references.at(origin), amount });
  }
  return calls;
}

/** How many calls, and the sum of their amounts. */
export const sumOfCalls = (calls: readonly { readonly amount: number }[]): Sum =>
  sumOf(calls.map(({ amount }) => amount));

/** Describes calls in words: `25 transfers, 404,600.00 in total`. */
export function describeMoney(calls: readonly MoneyCall[]): string {
  const kinds = [...groupBy(calls, ({ operation }) => operation)].map(([operation, { length }]) =>
    plural(length, contract[operation].noun.replace(/^an? /, "")),
  );
  return `${listed(kinds)}, ${formatAmount(sumOfCalls(calls).total)} in total`;
}

/** Lists calls that may have been sent without a response: up to `inFlight` references after the last one that has an entry. */
export function unansweredOf<C extends Call>(
  calls: readonly C[],
  entries: readonly Entry[],
  inFlight: number,
): C[] {
  const answered = new Set(entries.map(({ reference }) => reference));
  const inOrder = [...new Map(calls.map((call) => [call.reference, call])).values()];
  const last = inOrder.findLastIndex(({ reference }) => answered.has(reference));
  return inOrder.slice(0, last + 1 + inFlight).filter(({ reference }) => !answered.has(reference));
}

/** What the ledger holds for a run, until the outcomes of its calls are known. */
export class HeldMoney {
  readonly path: string;
  readonly calls: readonly Reserved[];
  readonly #close: () => Money;

  /** Reads what a run has reserved; throws a {@link CommandError} (3) if the ledger cannot be read. */
  constructor(target: Target, directory: string, runId: string) {
    const { path, caps } = ledgerOf(target, directory);
    this.path = path;
    this.calls = reservedBy(path, runId);
    this.#close = () => closeLedger(path, runId, sumOfCalls(this.calls), caps);
  }

  /** Reserves every call; throws a {@link CommandError} (3) if the caps leave no room. With `handedOver`, others send them later. */
  static reserve(
    target: Target,
    directory: string,
    runId: string,
    calls: readonly MoneyCall[],
    handedOver = false,
  ): HeldMoney {
    const { path, caps } = ledgerOf(target, directory);
    try {
      const ledger = new Ledger(path, runId, caps, { handedOver });
      if (calls.length > 0) ledger.reserveAll(calls);
    } catch (error) {
      if (!(error instanceof NotTested)) throw error;
      throw new CommandError(3, [
        `${error.message}; this run needs room for ${describeMoney(calls)}, and earlier runs that were never closed count as well (npm run load -- reconcile <run folder> closes one that was killed); no money was moved`,
      ]);
    }
    return new HeldMoney(target, directory, runId);
  }

  /** Closes the run: keeps what was accepted, is listed, may have moved money or, without an entry, `mayBeSent`; releases the rest. */
  close(
    entries: readonly Entry[],
    listed: readonly string[],
    mayBeSent: (reference: string) => boolean,
  ): Money {
    const unread = groupBy(entries, ({ reference }) => reference);
    const isListed = new Set(listed);
    const settled = this.calls.map((call) => {
      const { reference } = call;
      const entry = unread.get(reference)?.shift();
      const unanswered = mayBeSent(reference) ? "unknown" : "no";
      const outcome = entry ? carriedOut(entry) : unanswered;
      return [call, isListed.has(reference) ? "unknown" : outcome] as const;
    });
    settleReserved(
      this.path,
      settled.filter(([{ state }]) => state === undefined),
    );
    return this.#close();
  }
}

/** The ledger of a target; a run against the embedded sandbox has its own and no caps. */
function ledgerOf(target: Target, runFolder: string) {
  const { MAX_PAYOUTS: count = null, MAX_PAYOUT_TOTAL: total = null } = target.embedded ? {} : target.values;
  return { path: ledgerPathOf(target, runFolder), caps: { count, total } };
}
