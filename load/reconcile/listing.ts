import type { Client } from "../../fixtures/http/client.ts";
import {
  type Countable,
  learnCountable,
  listsNothing,
  type TransferStatus,
} from "../../fixtures/lists/transfer-counts.ts";
import { controlReference, unusedReference } from "../k6/reference.ts";
import type { Lookup } from "./reconcile.ts";

/** How transfers are looked up in this deployment. */
export interface Listing {
  readonly lookup: Lookup;
  /** Rows listed for the control; 0 if nothing is listed at all, `undefined` if rows cannot be counted. */
  readonly control: number | undefined;
}

/** Page sizes to try: an API may have a small maximum; a page needs room for the control and a surplus. */
const LIMITS = [50, 10, 5];

/** Learns from the control, which was sent once, what one transfer looks like in the list. */
export async function learnListing(client: Client): Promise<Listing> {
  const { runId } = client.builder;
  const control = controlReference(runId);
  let isEmpty = false;
  const ask = async (reference: string, window: Countable["window"], status?: TransferStatus) => {
    const body = await read(client, { transferReference: reference, ...window, ...(status && { status }) });
    if (reference === control && body !== undefined) isEmpty ||= listsNothing(body);
    return body;
  };
  const how = await learnCountable(control, unusedReference(runId), LIMITS, ask);
  if (!how) return { lookup: async () => undefined, control: isEmpty ? 0 : undefined };
  return {
    control: how.control,
    lookup: async (reference, status) => {
      const body = await ask(reference, how.window, status);
      return body === undefined ? undefined : how.count(body, reference);
    },
  };
}

/** Asks for a page of transfers; a read may be repeated, once. `undefined` if it does not succeed. */
async function read(client: Client, query: Readonly<Record<string, unknown>>): Promise<unknown> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const draft = client.builder.build("listTransfers", { query });
    const answer = await client.send("listTransfers", draft, "reconcile");
    if (answer.isSuccess) return answer.json;
    if ((answer.status ?? 500) < 429) return undefined;
  }
  return undefined;
}
