import type { Target } from "../../fixtures/engine/config/target.ts";
import type { CarriedOut } from "../../fixtures/engine/http/answer.ts";
import { NotTested } from "../../fixtures/engine/http/findings.ts";
import { closeLedger } from "../../fixtures/engine/ledger/closing.ts";
import { Ledger } from "../../fixtures/engine/ledger/ledger.ts";
import { ledgerPathOf } from "../../fixtures/engine/ledger/ledger-file.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import type { Money } from "../../reports/verdicts/verdict.ts";
import { type Entry, outcomesIn } from "../reconcile/journal.ts";
import { describeMoney, type MoneyCall, sumOfCalls } from "./money-calls.ts";

/** The ledger of a target; a run against the embedded sandbox has its own and no caps. */
export function ledgerOf(target: Target, runFolder: string) {
  const path = ledgerPathOf(target, runFolder);
  if (target.embedded) return { path, caps: { count: null, total: null } };
  const { MAX_PAYOUTS: count = null, MAX_PAYOUT_TOTAL: total = null } = target.values;
  return { path, caps: { count, total } };
}

/** The room that a run reserves in the ledger for all its money calls, until their outcomes are known. */
export class Reservations {
  /** Ends the run's record in the ledger; returns what the run moved. */
  readonly close: () => Money;
  readonly #calls: readonly MoneyCall[];
  #record: ((carriedOut: readonly CarriedOut[]) => void) | undefined;

  /** Reserves every call before the first one is sent; throws a {@link CommandError} (3) if the caps leave no room. */
  constructor(
    { path, caps }: ReturnType<typeof ledgerOf>,
    runId: string,
    calls: readonly MoneyCall[],
    options: { readonly handedOver?: boolean } = {},
  ) {
    this.#calls = calls;
    this.close = () => closeLedger(path, runId, sumOfCalls(calls), caps);
    try {
      const ledger = new Ledger(path, runId, caps, options);
      if (calls.length > 0) this.#record = ledger.reserveAll(calls);
    } catch (error) {
      if (!(error instanceof NotTested)) throw error;
      throw new CommandError(3, [
        `${error.message}; this run needs room for ${describeMoney(calls)}, and earlier runs that were never closed count as well; no money was moved`,
      ]);
    }
  }

  /**
   * Releases the calls that moved nothing, and those that were not sent: neither an entry nor `unanswered`. What the list
   * shows as paid is kept, whatever the response said.
   */
  settle(entries: readonly Entry[], unanswered: readonly string[] = [], listed: readonly string[] = []) {
    const outcomesOf = outcomesIn(entries);
    const isListed = new Set(listed);
    const mayBeSent = new Set(unanswered);
    const answered = new Map<string, number>();
    const carriedOut = this.#calls.map(({ reference }) => {
      const nth = answered.get(reference) ?? 0;
      answered.set(reference, nth + 1);
      if (isListed.has(reference)) return "unknown";
      return outcomesOf(reference)[nth] ?? (mayBeSent.has(reference) ? "unknown" : "no");
    });
    this.#record?.(carriedOut);
    this.#record = undefined;
  }
}
