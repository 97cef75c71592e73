import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { isObject } from "../../fixtures/engine/http/body.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { findsNothing } from "../../fixtures/engine/lists/query.ts";
import {
  type Countable,
  LIVE_STATUSES,
  learnCountable,
  listsNothing,
  PAID_STATUSES,
  sizes,
  type TransferStatus,
} from "../../fixtures/engine/lists/transfer-counts.ts";
import { pauseAfter } from "../../fixtures/engine/run/sending.ts";
import type { References } from "../k6/templates/reference.ts";
import type { Evidence, Lookup } from "./reconcile.ts";
import type { ReadPage } from "./whole-list.ts";

/** Page sizes to try: the API may have a small maximum, and a page must have room for a surplus. */
const LIMITS = [50, 10, 5];

/** Learns from the control transfer, which was sent once, how the list shows a transfer. */
export async function learnListing(
  client: Client,
  { control, unused }: References,
): Promise<Pick<Evidence, "lookup" | "control" | "payoutStatuses">> {
  const reader = new PageReader(client);
  const ask = (reference: string, window: Countable["window"], status?: TransferStatus) =>
    reader.read({ transferReference: reference, ...window, ...(status && { status }) });

  let isControlMissing = false;
  const countable = await learnCountable(control, unused, LIMITS, async (reference, window) => {
    const body = await ask(reference, window);
    if (reference === control && body !== undefined) isControlMissing ||= isEmpty(body);
    return body;
  });
  const lookup: Lookup = async (reference, status) => {
    const body = countable && (await ask(reference, countable.window, status));
    return body === undefined ? undefined : countable?.count(body, reference);
  };
  return {
    lookup,
    control: countable ? countable.control : isControlMissing ? 0 : undefined,
    payoutStatuses: countable ? await payoutStatusesOf(control, lookup) : PAID_STATUSES,
  };
}

/** Whether an answer shows an empty list. One without any list, as section 4 documents it, may show a record instead. */
function isEmpty(body: unknown): boolean {
  const { data } = isObject(body) ? body : {};
  const hasData = isObject(data) && Object.keys(data).length > 0;
  return listsNothing(body) && (sizes(body).size > 0 || !hasData);
}

/** Makes the function that reads pages of all transfers, or of those with one status. */
export function pageReader(client: Client): ReadPage {
  const reader = new PageReader(client);
  return (window, status) => reader.read({ ...window, ...(status && { status }) });
}

/** The control is one payout: if it is only listed as Unverified, that is a status of payouts, not of mere attempts. */
async function payoutStatusesOf(control: string, lookup: Lookup) {
  const counts = await Promise.all(PAID_STATUSES.map((status) => lookup(control, status)));
  return counts.some((count) => count !== undefined && count > 0) ? PAID_STATUSES : LIVE_STATUSES;
}

/** How long the list may reject every request because it is busy: a target needs a while to get over a load. */
const PATIENCE_MS = 30_000;

/** Asks for pages of transfers: once more if the API fails, and again while it throttles. */
class PageReader {
  readonly #client: Client;
  /** When the API last did anything but throttle. */
  #servedAt = performance.now();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The body of a page; `undefined` without a success. */
  async read(query: Readonly<Record<string, unknown>>): Promise<unknown> {
    for (let failures = 0; failures < 2; ) {
      const draft = this.#client.builder.build("listTransfers", { query });
      const answer = await this.#client.send("listTransfers", draft, "reconcile");
      if (!answer.isThrottled) this.#servedAt = performance.now();
      if (answer.isSuccess) return answer.json;
      if (findsNothing(answer, query)) return {};
      if ((answer.status ?? 500) < 429) return undefined;
      if (!(await this.#waited(answer))) failures += 1;
    }
    return undefined;
  }

  /** Waits as long as a busy API asks, unless it has been busy for too long. */
  async #waited(answer: Answer): Promise<boolean> {
    if (!answer.isThrottled || performance.now() - this.#servedAt > PATIENCE_MS) return false;
    await delay(pauseAfter(answer));
    return true;
  }
}
