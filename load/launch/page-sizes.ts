import type { Client } from "../../fixtures/http/client.ts";
import { adoptLimit } from "../../fixtures/run/page-size.ts";
import type { Steps } from "../k6/traffic/workloads.ts";

/**
 * Asks for a page of each list that a load reads. If the API rejects the ordinary page size, the builder uses one that
 * it accepts from then on.
 */
export async function learnPageSizes(client: Client, steps: Steps): Promise<void> {
  const { builder } = client;
  for (const id of new Set(steps.map(({ operation }) => operation)))
    await adoptLimit(builder, id, (query) => client.send(id, builder.build(id, { query }), "page-size"));
}
