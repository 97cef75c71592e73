import { isObject } from "../../fixtures/http/body.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { findsNothing } from "../../fixtures/lists/query.ts";
import {
  type Countable,
  LIVE_STATUSES,
  learnCountable,
  listsNothing,
  PAID_STATUSES,
  sizes,
  type TransferStatus,
} from "../../fixtures/lists/transfer-counts.ts";
import type { References } from "../k6/reference.ts";
import type { Evidence, Lookup } from "./reconcile.ts";
import type { ReadPage } from "./whole-list.ts";

/** Page sizes to try: the API may have a small maximum, and a page must have room for a surplus. */
const LIMITS = [50, 10, 5];

/** Learns from the control transfer, which was sent once, how the list shows a transfer. */
export async function learnListing(
  client: Client,
  { control, unused }: References,
): Promise<Pick<Evidence, "lookup" | "control" | "payoutStatuses">> {
  const ask = (reference: string, window: Countable["window"], status?: TransferStatus) =>
    read(client, { transferReference: reference, ...window, ...(status && { status }) });

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
export const pageReader =
  (client: Client): ReadPage =>
  (window, status) =>
    read(client, { ...window, ...(status && { status }) });

/** The control is one payout: if it is only listed as Unverified, that is a status of payouts, not of mere attempts. */
async function payoutStatusesOf(control: string, lookup: Lookup) {
  const counts = await Promise.all(PAID_STATUSES.map((status) => lookup(control, status)));
  return counts.some((count) => count !== undefined && count > 0) ? PAID_STATUSES : LIVE_STATUSES;
}

/** Asks for a page of transfers, and once more if the API is busy or fails; `undefined` without a success. */
async function read(client: Client, query: Readonly<Record<string, unknown>>): Promise<unknown> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const draft = client.builder.build("listTransfers", { query });
    const answer = await client.send("listTransfers", draft, "reconcile");
    if (answer.isSuccess) return answer.json;
    if (findsNothing(answer, query)) return {};
    if ((answer.status ?? 500) < 429) return undefined;
  }
  return undefined;
}
