import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { type Built, inUnits } from "../../fixtures/engine/http/build.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { WireRequest } from "../../fixtures/engine/http/wire.ts";
import { contract } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { requiredVariables } from "../../schemas/recipe.ts";
import type { SendableStep } from "../k6/profiles.ts";
import { type Pools, type Read, recordAt, type Step, type Steps } from "../k6/requests.ts";
import { requestRow } from "./request-rows.ts";
import { buildStep, trialsOf } from "./trials.ts";

/** A step that is ready to be sent, and what it may move. */
export interface PreparedStep extends SendableStep {
  /** The amount, in the currency's unit, that an accepted request of the iteration `origin` moves; absent if it moves none. */
  readonly stakeAt?: (origin: number) => number;
}

/** The request templates of a workload, and what they need. */
export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Makes the request templates of a workload from the operator's data; k6 only fills in what differs. */
export async function prepare(client: Client, steps: Steps, data: Pools) {
  const all = [];
  for (const step of steps) all.push(await prepareStep(client, step, data));
  const sent = all.map(({ step, stake }) => ({ ...step, stake }));
  return {
    steps: all.map(({ step }) => step),
    pools: Object.fromEntries(
      all.flatMap(({ step, records }) => (records.length > 0 ? [[step.operation, records]] : [])),
    ),
    missing: [...new Set(all.flatMap(({ missing }) => missing))],
    trials: trialsOf(client, sent),
  };
}

async function prepareStep(client: Client, step: Step, data: Pools) {
  const { operation, refusal } = step;
  const built = buildStep(client, step);
  const { stake, reference } = built;
  const { request } = await client.encode(operation, built, "load");
  const records = refusal ? [] : recordsFor(built.body, data[operation]);
  // A link has a form of its own, so that of the draft is kept.
  const { fresh = "reference" }: Operation = contract[operation];
  const isReference = fresh === "reference" || fresh === "accountReference";
  const prepared: PreparedStep = {
    ...step,
    row: requestRow(operation),
    template: {
      ...readFrom(request),
      body: request.body ? JSON.parse(request.body.toString("utf8")) : null,
      ...(isReference && { reference }),
    },
    ...(stake !== undefined && {
      stakeAt: (origin) => {
        const amount = recordAt(records, origin)?.amount;
        return amount === undefined ? stake : inUnits(contract[operation], Number(amount), client.target);
      },
    }),
  };
  return { step: prepared, missing: missingFor(step, built, client), stake, records };
}

/** A request that must be rejected needs data where its path names a record, and permission if it could be carried out. */
function missingFor({ operation, refusal }: Step, built: Built, client: Client): readonly VariableName[] {
  const { bound, ordinary }: Operation = contract[operation];
  if (!bound.some(({ id }) => id === refusal)) return built.missing;
  const records = requiredVariables(ordinary.path) as VariableName[];
  return [...records.filter((name) => !client.builder.isSet(name)), ...client.missing(operation, built)];
}

const INVENTED = 1000;

/** The records that the requests of an operation take, with an invented address where they give none. */
function recordsFor(body: Built["body"], given: Pools[string] | undefined) {
  const address = ["email", "emailAddress"].find((field) => field in (body ?? {}));
  const records = given ?? Array.from({ length: address ? INVENTED : 0 }, () => ({}));
  return records.map((record, index) => ({
    ...(address && { [address]: `customer.${index}@example.com` }),
    ...record,
  }));
}

/** The request without its id, which k6 makes anew. */
export const readFrom = ({ origin, path, headers }: WireRequest): Read => ({
  url: origin + path,
  headers: Object.fromEntries(headers.filter(([name]) => name !== "X-Request-Id")),
});
