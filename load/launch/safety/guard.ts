import { setTimeout as delay } from "node:timers/promises";
import { learnListing } from "../../reconcile/listing.ts";
import type { Line } from "../../results/recording/answers.ts";
import type { Execution } from "../execution.ts";
import { DoublePayouts } from "./double-payouts.ts";
import { ServerErrors } from "./server-errors.ts";

/** Ends a load when to go on would do harm: because the target fails, or because it pays twice. */
export class Guard {
  /** Why the load was stopped, if it was. */
  reason: string | undefined;
  /** Whether a double payout is proven, so that nothing more is paid. */
  hasPaidTwice = false;
  readonly #errors: ServerErrors;
  readonly #payouts: DoublePayouts;
  #stop: (() => void) | undefined;

  constructor({ client, references, target }: Pick<Execution, "client" | "references" | "target">) {
    this.#errors = new ServerErrors((reason) => this.#stopBecause(reason));
    this.#payouts = new DoublePayouts(
      () => learnListing(client, references),
      () => delay(target.settleMs),
      (reason) => {
        this.hasPaidTwice = true;
        this.#stopBecause(reason);
      },
    );
  }

  /** Reads a line of k6's log. */
  readonly add = (line: Line | undefined) => {
    this.#errors.add(line);
    this.#payouts.add(line);
  };

  /** Registers what stops the load. */
  readonly onStop = (stop: () => void) => {
    this.#stop = stop;
  };

  /** The load has ended: nothing is left to stop. */
  release() {
    this.#stop = undefined;
  }

  #stopBecause(reason: string) {
    if (this.reason !== undefined || !this.#stop) return;
    this.reason = reason;
    process.stderr.write(`\nStopping the load and reconciling what was sent: ${reason}.\n`);
    this.#stop();
  }
}
