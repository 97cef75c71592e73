import type { Client } from "../../fixtures/http/client.ts";
import {
  type Countable,
  learnCountable,
  listsNothing,
  type TransferStatus,
} from "../../fixtures/lists/transfer-counts.ts";
import { controlReference, unusedReference } from "../k6/reference.ts";
import type { Evidence } from "./reconcile.ts";

/** Page sizes to try: the API may have a small maximum, and a page must have room for a surplus. */
const LIMITS = [50, 10, 5];

/** Learns from the control transfer, which was sent once, how the list shows a transfer. */
export async function learnListing(client: Client): Promise<Pick<Evidence, "lookup" | "control">> {
  const { runId } = client.builder;
  const control = controlReference(runId);
  const ask = (reference: string, window: Countable["window"], status?: TransferStatus) =>
    read(client, { transferReference: reference, ...window, ...(status && { status }) });

  let isControlMissing = false;
  const unused = unusedReference(runId);
  const countable = await learnCountable(control, unused, LIMITS, async (reference, window) => {
    const body = await ask(reference, window);
    if (reference === control && body !== undefined) isControlMissing ||= listsNothing(body);
    return body;
  });
  if (!countable) return { lookup: async () => undefined, control: isControlMissing ? 0 : undefined };

  return {
    control: countable.control,
    lookup: async (reference, status) => {
      const body = await ask(reference, countable.window, status);
      return body === undefined ? undefined : countable.count(body, reference);
    },
  };
}

/** Asks for a page of transfers, and once more if the API is busy or fails; `undefined` without a success. */
async function read(client: Client, query: Readonly<Record<string, unknown>>): Promise<unknown> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const draft = client.builder.build("listTransfers", { query });
    const answer = await client.send("listTransfers", draft, "reconcile");
    if (answer.isSuccess) return answer.json;
    if ((answer.status ?? 500) < 429) return undefined;
  }
  return undefined;
}
