import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../fixtures/engine/http/body.ts";
import { type Client, pauseAfter } from "../../fixtures/engine/http/client.ts";
import { Inconclusive, ifDecided } from "../../fixtures/engine/http/findings.ts";
import { type Entry, entryOf, PAID_STATUSES } from "../../fixtures/engine/lists/book.ts";
import {
  learnCountable,
  listsNothing,
  sizes,
  type TransferStatus,
} from "../../fixtures/engine/lists/counting.ts";
import { findsNothing } from "../../fixtures/engine/lists/list.ts";
import { referencesOf } from "../k6/requests.ts";

/** Counts the rows of the transfer list for a reference, with one status or any; `undefined` without a usable response. */
export type CountRows = (reference: string, status?: TransferStatus) => Promise<number | undefined>;

/** How a deployment lists a transfer, as its control shows, which the run sent once and the API accepted. */
export class Listing {
  /** The control's rows: 0 if it is not listed, `undefined` if rows cannot be counted. */
  readonly control: number | undefined;
  readonly count: CountRows;
  /** Unverified rows are payouts where the control is listed under no status that pays. */
  readonly #paysUnverified: boolean;

  constructor(control: number | undefined, paysUnverified: boolean, count: CountRows) {
    this.control = control;
    this.#paysUnverified = paysUnverified;
    this.count = count;
  }

  /** The statuses of a payout in this deployment. */
  get payoutStatuses(): readonly TransferStatus[] {
    return this.#paysUnverified ? [...PAID_STATUSES, "Unverified"] : PAID_STATUSES;
  }

  /** What the list shows for a reference under each status; `undefined` without a usable response. */
  entry(reference: string): Promise<Entry | undefined> {
    const read = async (status?: TransferStatus) => {
      const length = await this.count(reference, status);
      if (length === undefined) throw new Inconclusive("the list returned no usable response");
      return { keys: Array.from({ length }, (_, index) => `row ${index + 1}`), rows: [] };
    };
    return ifDecided(entryOf(read));
  }

  /**
   * Counts the rows of a reference that were or may still be paid; a repeat may add rows of rejected transfers. `undefined`
   * if the counts by status do not add up to all rows: then the status filter proves nothing.
   */
  readonly payouts = async (reference: string): Promise<number | undefined> => {
    const entry = await this.entry(reference);
    if (!entry || !addsUp(entry)) return undefined;
    return entry.paid + (this.#paysUnverified ? entry.unverified : 0);
  };
}

/** Whether the list shows each row of a reference under exactly one status. */
export const addsUp = ({ rows, sets }: Entry) => sets.reduce((sum, { number }) => sum + number, 0) === rows;

/** Page sizes to try: the API may have a small maximum, and a page must have room for a surplus. */
const LIMITS = [50, 10, 5];

/** The references of the run whose requests a client sends. */
export const referencesOfRun = ({ builder, target }: Client) =>
  referencesOf(builder.runId, target.values.REFERENCE_FORM);

/** Learns from the control how the list shows a transfer. */
export async function learnListing(client: Client): Promise<Listing> {
  const { control, unused } = referencesOfRun(client);
  const readPage = pageReader(client);
  let isControlMissing = false;
  const countable = await learnCountable(control, unused, LIMITS, async (transferReference, window) => {
    const body = await readPage({ transferReference, ...window });
    if (transferReference === control && body !== undefined) isControlMissing ||= isEmpty(body);
    return body;
  });
  if (!countable) return new Listing(isControlMissing ? 0 : undefined, false, async () => undefined);
  const count: CountRows = async (transferReference, status) => {
    const body = await readPage({ transferReference, ...countable.window, ...(status && { status }) });
    return body === undefined ? undefined : countable.count(body, transferReference);
  };
  const counts = await Promise.all(PAID_STATUSES.map((status) => count(control, status)));
  return new Listing(countable.control, !counts.some((rows = 0) => rows > 0), count);
}

/** Whether a response shows an empty list. One without any list, as section 4 documents it, may show a record instead. */
function isEmpty(body: unknown): boolean {
  const { data } = isObject(body) ? body : {};
  const hasData = isObject(data) && Object.keys(data).length > 0;
  return listsNothing(body) && (sizes(body).size > 0 || !hasData);
}

/** Reads a page of the transfer list; `undefined` without a usable response. */
export type ReadPage = (query: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** How long the list may reject every request because it is busy: a target needs a while to get over a load. */
const PATIENCE_MS = 30_000;

/** Makes the function that reads pages of transfers: once more if the API fails, and again while it throttles. */
export function pageReader(client: Client): ReadPage {
  let servedAt = performance.now();
  const read = async (query: Parameters<ReadPage>[0], attempts = 2): Promise<unknown> => {
    const draft = client.builder.build("listTransfers", { query });
    const response = await client.send("listTransfers", draft, "reconcile");
    if (!response.isThrottled) servedAt = performance.now();
    if (response.isSuccess) return response.json;
    if (findsNothing(response, query)) return {};
    const waits = response.isThrottled && performance.now() - servedAt <= PATIENCE_MS;
    const left = waits ? attempts : attempts - 1;
    if ((response.status ?? 500) < 429 || left === 0) return undefined;
    if (waits) await delay(pauseAfter(response));
    return read(query, left);
  };
  return (query) => read(query);
}
