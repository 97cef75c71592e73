import { type Entry, isTransfer } from "../../reconcile/journal.ts";
import type { Listing } from "../../reconcile/listing.ts";
import type { Line } from "../../results/recording/answers.ts";

/** A reference is compared with the last ones only, so that memory does not grow with the run. */
const REMEMBERED = 10_000;
/** An API may have an identifier for each request; so many references are looked up then. */
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
    learnListing: () => Promise<Payouts>,
    settle: () => Promise<void>,
    onProven: (reason: string) => void,
  ) {
    this.#learnListing = learnListing;
    this.#settle = settle;
    this.#onProven = onProven;
  }

  add(line: Line | undefined) {
    if (line?.kind !== "answer" || !isTransfer(line)) return;
    const { reference, identifier, outcome } = line;
    if (reference === null || outcome !== "accepted" || identifier === null) return;
    const known = this.#identifiers.get(reference);
    if (known === undefined) this.#remember(reference, identifier);
    else if (known !== identifier) this.#suspect(reference);
  }

  #remember(reference: string, identifier: Entry["identifier"]) {
    this.#identifiers.set(reference, identifier);
    const [oldest] = this.#identifiers.size > REMEMBERED ? this.#identifiers.keys() : [];
    if (oldest !== undefined) this.#identifiers.delete(oldest);
  }

  /** One after the other, so that the look-ups are no load of their own. */
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
