import type { TransferStatus } from "../../../fixtures/engine/lists/transfer-counts.ts";
import { spreadOf } from "../../../fixtures/engine/lists/transfer-counts.ts";
import { type Entry, isTransfer } from "../../reconcile/journal.ts";
import type { Evidence } from "../../reconcile/reconcile.ts";
import type { Line } from "../../results/recording/answers.ts";

/** A reference is compared with the last ones only, so that memory does not grow with the run. */
const REMEMBERED = 10_000;
/** An API may have an identifier for each request; so many references are looked up then. */
const MOST_SUSPECTS = 20;

type Listing = Pick<Evidence, "lookup" | "control" | "payoutStatuses">;

/** Watches for a reference that is accepted under two transactionIds, and looks up whether it was paid twice. */
export class DoublePayouts {
  readonly #learnListing: () => Promise<Listing>;
  readonly #settle: () => Promise<void>;
  readonly #onProven: (reason: string) => void;
  readonly #identifiers = new Map<string, Entry["identifier"]>();
  readonly #suspects = new Set<string>();
  #listing: Promise<Listing> | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    learnListing: () => Promise<Listing>,
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
    const { control, lookup, payoutStatuses } = await this.#listing;
    if (!control) return;
    for (let reading = 0; reading < 2; reading += 1) {
      await this.#settle();
      const count = async (status: TransferStatus) => (await lookup(reference, status)) ?? Number.NaN;
      const { live, sum } = await spreadOf(payoutStatuses, count);
      if (sum !== (await lookup(reference)) || live <= control) return;
    }
    this.#onProven(`the API paid ${reference} twice`);
  }
}
