import type { Target } from "../../../fixtures/engine/config/target.ts";
import type { CarriedOut } from "../../../fixtures/engine/http/answer.ts";
import { closeLedger, reservedBy, settleReserved } from "../../../fixtures/engine/ledger/closing.ts";
import type { Reserved } from "../../../fixtures/engine/ledger/entries.ts";
import { groupBy } from "../../../reports/grouping.ts";
import type { Money } from "../../../reports/verdicts/verdict.ts";
import { type Entry, outcomesIn } from "../../reconcile/journal.ts";
import { sumOfCalls } from "../money-calls.ts";
import { ledgerOf } from "../reservations.ts";

/** The record of a run in the ledger whose process ended before it could close it. */
export class LeftOpen {
  readonly path: string;
  /** Everything that the run has reserved, in order. */
  readonly reserved: readonly Reserved[];
  readonly #runId: string;
  readonly #caps: ReturnType<typeof ledgerOf>["caps"];

  /** Throws a `CommandError` (3) if the ledger cannot be read. */
  constructor(target: Target, directory: string, runId: string) {
    const { path, caps } = ledgerOf(target, directory);
    this.path = path;
    this.#runId = runId;
    this.#caps = caps;
    this.reserved = reservedBy(path, runId);
  }

  /**
   * Records what became of each call, and closes the run. What a response says decides, unless the list shows a payment;
   * `unanswered` is what became of a call without a response.
   */
  close(entries: readonly Entry[], listed: readonly string[], unanswered: CarriedOut): Money {
    const outcomesOf = outcomesIn(entries);
    const isListed = new Set(listed);
    const settled = [...groupBy(this.reserved, (one) => one.reference)].flatMap(([reference, held]) => {
      const outcomes = outcomesOf(reference);
      return held.map((one, index) => {
        const carriedOut = isListed.has(reference) ? "unknown" : (outcomes[index] ?? unanswered);
        return [one, carriedOut] as const;
      });
    });
    settleReserved(
      this.path,
      settled.filter(([{ state }]) => state === undefined),
    );
    return closeLedger(this.path, this.#runId, sumOfCalls(this.reserved), this.#caps);
  }
}
