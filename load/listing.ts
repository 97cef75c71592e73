import { isSuccess } from "../fixtures/classify.ts";
import type { Change } from "../schemas/operation.ts";
import type { Client } from "./client.ts";
import { controlReference, unusedReference } from "./k6/reference.ts";
import { type Count, learnCount, listsNothing } from "./listed.ts";
import type { Lookup } from "./reconcile.ts";

/** How transfers are looked up at this deployment. */
export interface Listing {
  readonly lookup: Lookup;
  /** Items listed for the control; 0 when nothing is listed at all, `undefined` when they cannot be counted. */
  readonly control: number | undefined;
}

/** Page sizes to try: a small maximum is permitted; a page must have room for the control and a surplus. */
const LIMITS = [50, 10, 5];
/** Whether pages are counted from 1 or 0 is not shown. */
const FIRST_PAGES = [1, 0];

/** Learns from the control, which was sent once, what one transfer looks like in the list. */
export async function learnListing(client: Client): Promise<Listing> {
  const existing = controlReference(client.runId);
  const unused = unusedReference(client.runId);
  let empty = false;
  for (const page of FIRST_PAGES) {
    for (const limit of LIMITS) {
      const list = (reference: string, status?: string) =>
        read(client, { limit, page, transferReference: reference, status });
      const shown = await list(existing);
      const absent = await list(unused);
      if (shown === undefined || absent === undefined) continue;
      const count = learnCount({ reference: existing, body: shown }, { reference: unused, body: absent });
      if (count) return { lookup: lookupWith(list, count), control: count(shown, existing) };
      empty ||= listsNothing(shown);
      break;
    }
  }
  return { lookup: async () => undefined, control: empty ? 0 : undefined };
}

const lookupWith =
  (list: (reference: string, status?: string) => Promise<unknown>, count: Count): Lookup =>
  async (reference, status) => {
    const body = await list(reference, status);
    return body === undefined ? undefined : count(body, reference);
  };

/** Asks for a page of transfers; a read may be repeated, once. `undefined` when it does not succeed. */
async function read(client: Client, query: NonNullable<Change["query"]>): Promise<unknown> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = await client.send("listTransfers", { query });
    if (isSuccess(answer)) return answer.json;
    if ((answer.status ?? 500) < 429) return undefined;
  }
  return undefined;
}
