import { Refusal } from "../fixtures/command-line.ts";
import { NotTested } from "../fixtures/findings.ts";
import type { Ledger, Reservation } from "../fixtures/ledger.ts";
import type { Entry } from "./journal.ts";
import type { OperationName } from "./k6/generated/requests.ts";
import type { Outcome } from "./k6/outcome.ts";
import { controlReference, referenceOf } from "./k6/reference.ts";
import type { Schedule } from "./k6/schedule.ts";
import { groupBy } from "./transfers.ts";

/** A request of the run that may move money. */
interface MoneyCall {
  readonly operation: OperationName;
  readonly reference: string;
  readonly amount: number;
}

/** Every request of a run that may move money: the control, then those of the load, deliberate repeats included. */
export function moneyCalls(
  runId: string,
  schedule: Schedule,
  iterations: number,
  stakes: ReadonlyMap<OperationName, number>,
  control: OperationName | undefined,
): MoneyCall[] {
  const calls: MoneyCall[] = [];
  const add = (operation: OperationName, reference: string) => {
    const amount = stakes.get(operation);
    if (amount !== undefined) calls.push({ operation, reference, amount });
  };
  if (control) add(control, controlReference(runId));
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.turn(iteration);
    add(step.operation, referenceOf(runId, origin));
  }
  return calls;
}

/** Answers after which nothing has moved. */
const RELEASING: readonly Outcome[] = ["business-refused", "throttled", "auth-error", "connection-error"];

/** What the run holds in the ledger, until the journal shows what became of it. */
export class Reservations {
  readonly #held = new Map<string, Reservation[]>();

  /** Reserves every call before the first one is sent; throws a {@link Refusal} (3) when the caps leave no room. */
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
      throw new Refusal(3, [
        `the run's ${calls.length} money calls do not fit: ${error.message}, counting earlier runs that were never closed; no money call was sent`,
      ]);
    }
  }

  /** Nothing was sent after all. */
  releaseAll() {
    for (const reservation of [...this.#held.values()].flat()) reservation.settle("refused");
    this.#held.clear();
  }

  /** Keeps what may have moved. What has no line was sent only where an interruption may have cut off its answer. */
  settle(entries: readonly Entry[], interrupted: boolean) {
    const answers = groupBy(entries, ({ reference }) => reference);
    for (const [reference, held] of this.#held) {
      const outcomes = answers.get(reference) ?? [];
      held.forEach((reservation, index) => {
        const outcome = outcomes[index]?.outcome;
        const moved = outcome === undefined ? interrupted : !RELEASING.includes(outcome);
        reservation.settle(moved ? (outcome === "accepted" ? "accepted" : "unknown") : "refused");
      });
    }
    this.#held.clear();
  }
}
