import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { type Built, type Draft, inUnits } from "../../fixtures/engine/http/build.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { WireRequest } from "../../fixtures/engine/http/wire.ts";
import { contract } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { requiredVariables } from "../../schemas/recipe.ts";
import type { LoadData } from "../inputs/data.ts";
import type { SendableStep } from "../k6/profiles.ts";
import { type Pools, type Read, type Step, type Steps, valueAt } from "../k6/requests.ts";
import { requestRow } from "./request-rows.ts";
import { buildStep, type Trial, trialsOf } from "./trials.ts";

const INVENTED = 1000;

/** The values of the records of DATA, and invented e-mail addresses. */
export function poolsOf(data: LoadData = {}): Pools {
  const given = Object.entries(data).flatMap(([kind, records]: [string, readonly object[]]) =>
    // All records of a kind have the same fields.
    Object.keys(records[0] ?? {}).map((field) => [
      `${kind}.${field}`,
      records.map((record) => Object(record)[field]),
    ]),
  );
  const invented = Array.from({ length: INVENTED }, (_, index) => `customer.${index}@example.com`);
  return { ...Object.fromEntries(given), "invented.email": invented, "invented.emailAddress": invented };
}

/** A step that is ready to be sent, and what it may move. */
export interface PreparedStep extends SendableStep {
  /** The amount, in the currency's unit, that an accepted request of the iteration `origin` moves; absent if it moves none. */
  readonly stakeAt?: (origin: number) => number;
}

/** The request templates of a workload, and what they need. */
export interface Prepared {
  readonly steps: readonly [PreparedStep, ...PreparedStep[]];
  readonly pools: Pools;
  readonly trials: readonly Trial[];
  readonly missing: readonly VariableName[];
}

/** Makes the request templates of a workload from the operator's data; k6 only fills in what differs. */
export async function prepare(client: Client, [first, ...others]: Steps, given: Pools): Promise<Prepared> {
  const head = await prepareStep(client, first, given);
  const all = [head];
  for (const step of others) all.push(await prepareStep(client, step, given));
  const places = new Set(all.flatMap(({ step }) => Object.values(step.template.pooled)));
  const sent = all.map(({ step, stake }) => ({ ...step, stake }));
  return {
    steps: [head.step, ...all.slice(1).map(({ step }) => step)],
    pools: Object.fromEntries(Object.entries(given).filter(([place]) => places.has(place))),
    missing: [...new Set(all.flatMap(({ missing }) => missing))],
    trials: trialsOf(client, sent),
  };
}

async function prepareStep(client: Client, step: Step, given: Pools) {
  const { operation, refusal } = step;
  const built = buildStep(client, step);
  const { stake, reference } = built;
  const { request } = await client.encode(operation, built, "load");
  const pooled = refusal ? {} : placesOf(built.body, given);
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
      pooled,
    },
    ...(stake !== undefined && {
      stakeAt: (origin) => {
        const amount = valueAt(given, pooled.amount, origin);
        return amount === undefined ? stake : inUnits(contract[operation], Number(amount), client.target);
      },
    }),
  };
  return { step: prepared, missing: missingFor(step, built, client), stake };
}

/** A request that must be rejected needs data where its path names a record, and permission if it could be carried out. */
function missingFor(
  { operation, refusal, names }: Step,
  built: Built,
  client: Client,
): readonly VariableName[] {
  if (names === "unknown") return client.missing(operation, built);
  if (names === "taken") return client.builder.isSet("EXISTING_CUSTOM_LINK") ? [] : ["EXISTING_CUSTOM_LINK"];
  const { bound, ordinary }: Operation = contract[operation];
  if (!bound.some(({ id }) => id === refusal)) return built.missing;
  const records = requiredVariables(ordinary.path) as VariableName[];
  return [...records.filter((name) => !client.builder.isSet(name)), ...client.missing(operation, built)];
}

/** Where the values of a field may come from: the first that has some counts. */
const KINDS = ["beneficiaries", "customers", "plans", "invented"] as const;

/** The fields of a body that have a pool, each with its place there. */
function placesOf(body: Draft["body"], pools: Pools): Record<string, string> {
  const namesAccount = "accountNumber" in (body ?? {});
  const kinds = KINDS.filter((kind) => namesAccount || kind !== "beneficiaries");
  return Object.fromEntries(
    Object.keys(body ?? {}).flatMap((field) => {
      const place = kinds.map((kind) => `${kind}.${field}`).find((one) => pools[one] !== undefined);
      return place ? [[field, place]] : [];
    }),
  );
}

/** The request without its id, which k6 makes anew. */
export const readFrom = ({ origin, path, headers }: WireRequest): Read => ({
  url: origin + path,
  headers: Object.fromEntries(headers.filter(([name]) => name !== "X-Request-Id")),
});
