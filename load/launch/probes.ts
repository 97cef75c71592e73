import { isOutOfScope } from "../../fixtures/engine/config/target.ts";
import type { Client, Prepared } from "../../fixtures/engine/http/client.ts";
import { sizes } from "../../fixtures/engine/lists/transfer-counts.ts";
import { requestRow } from "../inputs/request-row.ts";
import type { Probes } from "../k6/probes.ts";
import type { References } from "../k6/templates/reference.ts";
import type { Template } from "../k6/templates/template.ts";

/** At most one probe of each kind in so many requests, and two in a run of any length. */
const REQUESTS_PER_PROBE = 500;
/** Page sizes to try, a small and a larger one: the list is what grows with the limit. */
const LIMITS = [
  [2, 5],
  [10, 20],
  [20, 50],
] as const;
/** A key of the right form that was never issued. */
const NEVER_ISSUED = `sk_test_${"0".repeat(32)}`;

/** Prepares what k6 sends in addition to the workload; `undefined` if this deployment offers no list of transfers. */
export async function prepareProbes(
  client: Client,
  { unused }: References,
  iterations: number,
): Promise<Probes | undefined> {
  if (isOutOfScope(client.target, "listTransfers")) return undefined;
  const draft = client.builder.build("listTransfers", { query: { transferReference: unused } });
  const authorization = `Bearer ${NEVER_ISSUED}`;
  const { request } = await client.prepare("listTransfers", draft, "probe", { authorization });
  const page = await learnPage(client);
  return {
    every: Math.max(2, Math.min(REQUESTS_PER_PROBE, Math.floor(iterations / 2))),
    badKey: { ...templateOf(request), row: requestRow("listTransfers") },
    ...(page && { page }),
  };
}

/** Finds the list in a page of transfers, whose layout is undocumented, by what grows with the limit. */
async function learnPage(client: Client): Promise<Probes["page"]> {
  for (const [small, large] of LIMITS) {
    const few = await readPage(client, small);
    const many = await readPage(client, large);
    if (few.body === undefined || many.body === undefined) continue;
    const before = sizes(few.body);
    const places = [...sizes(many.body)]
      .filter(
        ([place, size]) =>
          !place.includes("*") && size <= large && size > small && before.get(place) === small,
      )
      .map(([place]) => place)
      .toSorted((a, b) => a.length - b.length);
    const [place] = places;
    return place === undefined ? undefined : { ...templateOf(many.request), limit: large, place };
  }
  return undefined;
}

async function readPage(client: Client, limit: number) {
  const draft = client.builder.build("listTransfers", { query: { limit, page: 1 } });
  const { request, send } = await client.prepare("listTransfers", draft, "probe");
  const answer = await send();
  return { request, body: answer.isSuccess ? answer.json : undefined };
}

const templateOf = ({ origin, path, headers }: Prepared["request"]): Template => ({
  url: origin + path,
  headers: Object.fromEntries(headers.filter(([name]) => name !== "X-Request-Id")),
  body: null,
});
