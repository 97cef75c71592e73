import { CommandError } from "../../fixtures/config/command-line.ts";
import { NotTested } from "../../fixtures/http/findings.ts";
import type { Ledger, Reservation } from "../../fixtures/run/ledger.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import type { Outcome } from "../k6/outcome.ts";
import { controlReference, referenceOf } from "../k6/reference.ts";
import type { Schedule } from "../k6/schedule.ts";
import type { Entry } from "../reconcile/journal.ts";
import { groupBy } from "../reconcile/transfers.ts";
import type { Prepared } from "./templates.ts";

/** A request of the run that may move money. */
export interface MoneyCall {
  readonly operation: OperationName;
  readonly reference: string;
  readonly amount: number;
}

/** Every request of a run that may move money: the control, then those of the load, deliberate repeats included. */
export function moneyCalls(
  runId: string,
  schedule: Schedule,
  iterations: number,
  { stakes, templates }: Prepared,
): MoneyCall[] {
  const calls: MoneyCall[] = [];
  const add = (operation: OperationName, reference: string) => {
    const amount = stakes.get(operation);
    if (amount !== undefined) calls.push({ operation, reference, amount });
  };
  if (templates.createTransfer) add("createTransfer", controlReference(runId));
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.turn(iteration);
    add(step.operation, referenceOf(runId, origin));
  }
  return calls;
}

/** How many calls there are, and what they move in all. */
export const sumOf = (calls: readonly MoneyCall[]) => ({
  count: calls.length,
  total: calls.reduce((sum, { amount }) => sum + amount, 0),
});

/** Answers after which nothing has moved. */
const RELEASING: readonly Outcome[] = ["business-refused", "throttled", "auth-error", "connection-error"];

/** What the run holds in the ledger, until the journal shows what became of it. */
export class Reservations {
  readonly #held = new Map<string, Reservation[]>();

  /** Reserves every call before the first one is sent; throws a {@link CommandError} (3) when the caps leave no room. */
  constructor(ledger: Ledger, calls: readonly MoneyCall[]) {
    try {
      for (const { operation, reference, amount } of calls) {
        const held = this.#held.get(reference) ?? [];
        held.push(ledger.reserve(operation, amount, reference));
        this.#held.set(reference, held);
      }
    } catch (error) {
      this.releaseAll();
      if (!(error instanceof NotTested)) throw error;
      throw new CommandError(3, [
        `the run's ${calls.length} money calls do not fit: ${error.message}, counting earlier runs that were never closed; no money call was sent`,
      ]);
    }
  }

  /** Nothing was sent after all. */
  releaseAll() {
    for (const reservation of [...this.#held.values()].flat()) reservation.record("no");
    this.#held.clear();
  }

  /** Keeps what was accepted or may have moved; releases what was refused or, not being in `unanswered`, not sent. */
  settle(entries: readonly Entry[], unanswered: readonly string[] = []) {
    const answers = groupBy(entries, ({ reference }) => reference);
    for (const [reference, held] of this.#held) {
      // A refusal that carries an identifier may be a recorded transaction.
      const outcomes = (answers.get(reference) ?? []).map(({ outcome, identifier }) =>
        identifier === null ? outcome : "accepted",
      );
      const unknown = unanswered.includes(reference);
      held.forEach((reservation, index) => {
        const outcome = outcomes[index] ?? (unknown ? "unknown" : "connection-error");
        reservation.record(RELEASING.includes(outcome) ? "no" : "unknown");
      });
    }
    this.#held.clear();
  }
}

/**
 * References of a run which was cut short that may have been sent without an answer: those that have no line, up to
 * `underWay` references after the last one that has.
 */
export function unansweredOf(
  calls: readonly MoneyCall[],
  entries: readonly Entry[],
  underWay: number,
): string[] {
  const answered = new Set(entries.map(({ reference }) => reference));
  const inOrder = [...new Set(calls.map(({ reference }) => reference))];
  const last = inOrder.findLastIndex((reference) => answered.has(reference));
  return inOrder.slice(0, last + 1 + underWay).filter((reference) => !answered.has(reference));
}
