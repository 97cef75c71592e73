import { setTimeout as delay } from "node:timers/promises";
import { onStopSignal, STOP_SIGNALS } from "../../fixtures/engine/config/signals.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { References } from "../k6/templates/reference.ts";
import { type Entry, isTransfer } from "../reconcile/journal.ts";
import { type Listing, learnListing } from "../reconcile/listing.ts";
import type { Line } from "../results/recording/answers.ts";

/**
 * Stops a load: at Ctrl-C, and when to go on would do harm, because the target fails or pays twice. What was sent is then
 * reconciled; a second signal, two seconds later or more, ends the process.
 */
export class Guard {
  interrupted = false;
  /** Why this process stopped the load, if it did. */
  reason: string | undefined;
  /** Whether a double payout is proven, so that nothing more is paid. */
  hasPaidTwice = false;
  readonly #errors: ServerErrors;
  readonly #payouts: DoublePayouts;
  #stop: (() => void) | undefined;

  constructor(client: Client, references: References) {
    this.#errors = new ServerErrors((reason) => this.#stopBecause(reason));
    this.#payouts = new DoublePayouts(
      () => learnListing(client, references),
      () => delay(client.target.settleMs),
      (reason) => {
        this.hasPaidTwice = true;
        this.#stopBecause(reason);
      },
    );
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Reads a line of k6's log. */
  readonly add = (line: Line | undefined) => {
    this.#errors.add(line);
    this.#payouts.add(line);
  };

  /** Registers what stops the load; calls it at once if the signal has already come. */
  readonly onStart = (stop: () => void) => {
    this.#stop = stop;
    if (this.interrupted) stop();
  };

  /** The load has ended: nothing is left to stop. */
  onEnd() {
    this.#stop = undefined;
  }

  /** The run has ended: signals have their usual effect. */
  release() {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.#onSignal);
  }

  readonly #onSignal = onStopSignal(
    () => {
      this.interrupted = true;
      process.stderr.write(
        "\nStopping the load and reconciling what was sent. Press Ctrl-C again to exit at once.\n",
      );
      this.#stop?.();
    },
    () => process.exit(130),
  );

  #stopBecause(reason: string) {
    if (this.reason !== undefined || !this.#stop) return;
    this.reason = reason;
    process.stderr.write(`\nStopping the load and reconciling what was sent: ${reason}.\n`);
    this.#stop();
  }
}

/** A target that fails so often for so long gets no further load. */
const WINDOW_SECONDS = 30;
const MOST_FAILING = 0.5;

/** What came back within one second. */
interface Second {
  readonly second: number;
  answers: number;
  errors: number;
}

/** Watches the share of server errors in the last half minute of a load. */
export class ServerErrors {
  readonly #onTooMany: (reason: string) => void;
  #current: Second = { second: 0, answers: 0, errors: 0 };
  #earlier: Second[] = [];

  constructor(onTooMany: (reason: string) => void) {
    this.#onTooMany = onTooMany;
  }

  add(line: Line | undefined) {
    if (line?.kind !== "answer") return;
    const second = Math.floor((line.startedMs + line.tookMs) / 1000);
    if (second > this.#current.second) this.#judgeBefore(second);
    this.#current.answers += 1;
    if (line.outcome === "server-error") this.#current.errors += 1;
  }

  #judgeBefore(second: number) {
    this.#earlier = [...this.#earlier, this.#current].filter((one) => one.second >= second - WINDOW_SECONDS);
    this.#current = { second, answers: 0, errors: 0 };
    if (second < WINDOW_SECONDS) return;
    const sum = (of: "answers" | "errors") => this.#earlier.reduce((all, one) => all + one[of], 0);
    if (sum("errors") > sum("answers") * MOST_FAILING)
      this.#onTooMany(
        `${sum("errors")} of ${sum("answers")} responses within ${WINDOW_SECONDS} s were server errors`,
      );
  }
}

/** A reference is compared with the last ones only, so that memory does not grow with the run. */
const REMEMBERED = 10_000;
/** The most references that are looked up: an API may have an identifier for each request. */
const MOST_SUSPECTS = 20;

type Payouts = Pick<Listing, "control" | "payouts">;

/** Watches for a reference that is accepted under two transactionIds, and looks up whether it was paid twice. */
export class DoublePayouts {
  readonly #learnListing: () => Promise<Payouts>;
  readonly #settle: () => Promise<void>;
  readonly #onProven: (reason: string) => void;
  readonly #identifiers = new Map<string, Entry["identifier"]>();
  readonly #suspects = new Set<string>();
  #listing: Promise<Payouts> | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    learn: () => Promise<Payouts>,
    settle: () => Promise<void>,
    onProven: (reason: string) => void,
  ) {
    this.#learnListing = learn;
    this.#settle = settle;
    this.#onProven = onProven;
  }

  add(line: Line | undefined) {
    if (line?.kind !== "answer" || !isTransfer(line)) return;
    const { reference, identifier, outcome } = line;
    if (reference === null || outcome !== "accepted" || identifier === null) return;
    const known = this.#identifiers.get(reference);
    if (known !== undefined && known !== identifier) this.#suspect(reference);
    if (known !== undefined) return;
    this.#identifiers.set(reference, identifier);
    const [oldest] = this.#identifiers.size > REMEMBERED ? this.#identifiers.keys() : [];
    if (oldest !== undefined) this.#identifiers.delete(oldest);
  }

  /** One after the other, so that the lookups are no load of their own. */
  #suspect(reference: string) {
    if (this.#suspects.has(reference) || this.#suspects.size >= MOST_SUSPECTS) return;
    this.#suspects.add(reference);
    this.#work = this.#work.then(() => this.#judge(reference)).catch(() => undefined);
  }

  /** In two readings, since a surplus row may still become a rejection. */
  async #judge(reference: string) {
    this.#listing ??= this.#learnListing();
    const listing = await this.#listing;
    const { control } = listing;
    if (!control) return;
    for (let reading = 0; reading < 2; reading += 1) {
      await this.#settle();
      if (((await listing.payouts(reference)) ?? 0) <= control) return;
    }
    this.#onProven(`the API paid ${reference} twice`);
  }
}
