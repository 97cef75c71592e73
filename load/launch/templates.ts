import { z } from "zod";
import { isOutOfScope } from "../../fixtures/engine/config/target.ts";
import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { type Built, type Draft, inUnits } from "../../fixtures/engine/http/build.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { WireRequest } from "../../fixtures/engine/http/response.ts";
import { sizes } from "../../fixtures/engine/lists/counting.ts";
import { adoptLimit } from "../../fixtures/engine/run/paging.ts";
import { contract, type OperationId, successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { requiredVariables } from "../../schemas/recipe.ts";
import { amountsAround, KEYS, PLACES, WORDS } from "../inputs/pools.ts";
import type { SendableStep } from "../k6/profiles.ts";
import {
  markerOf,
  type Pools,
  REFERENCE,
  rowAt,
  Schedule,
  type Step,
  type Steps,
  type Template,
} from "../k6/requests.ts";
import type { Fields, Probes, RequestRow } from "../k6/responses.ts";
import { referencesOfRun } from "../reconcile/listing.ts";
import type { Records } from "../results/result.ts";
import { buildStep, type Trial, trialsOf } from "./trials.ts";

/** A step that is ready to be sent, and what it may move. */
export interface PreparedStep extends SendableStep {
  /** The fields whose values come from a pool, as `kind.member`. */
  readonly pooled: Readonly<Record<string, string>>;
  /** The amount, in the currency's unit, that an accepted request of the iteration `origin` moves; absent if it moves none. */
  readonly stakeAt?: (origin: number) => number;
}

/** The request templates of a workload, and what they need. */
export interface Prepared {
  readonly steps: readonly [PreparedStep, ...PreparedStep[]];
  /** The records that the templates name. */
  readonly pools: Pools;
  /** What is sent before the load and after it, to see what works. */
  readonly trials: readonly Trial[];
  /** The variables that are not set and that the workload needs. */
  readonly missing: readonly VariableName[];
}

/** Makes the request templates of a workload from the operator's data; k6 only fills in what differs. */
export async function prepare(
  client: Client,
  [first, ...others]: Steps,
  given: Pools,
  around: readonly OperationId[] = [],
): Promise<Prepared> {
  const head = await prepareStep(client, first, given);
  const all = [head];
  for (const step of others) all.push(await prepareStep(client, step, given));
  const named = new Set(all.flatMap(({ step }) => Object.values(step.pooled).map(kindOf)));
  const known: Pools = Object.assign({}, given, ...all.map(({ amounts }) => amounts));
  const sent = all.map(({ step, stake }) => ({ ...step, stake }));
  return {
    steps: [head.step, ...all.slice(1).map(({ step }) => step)],
    pools: Object.fromEntries(Object.entries(known).filter(([kind]) => named.has(kind))),
    missing: [...new Set(all.flatMap(({ missing }) => missing))],
    trials: trialsOf(client, sent, around),
  };
}

async function prepareStep(client: Client, step: Step, given: Pools) {
  const { operation, refusal } = step;
  const built = buildStep(client, step);
  const { stake, reference } = built;
  const { request } = await client.encode(operation, built, "load");
  const { url, headers } = templateOf(request);
  // Amounts around the one that a request moves, as the pool of its operation.
  const amounts: Pools =
    stake === undefined ? {} : { [`amounts_${operation}`]: amountsAround(built.body?.amount) };
  const pools = { ...given, ...amounts };
  const pooled = refusal ? {} : placesOf(operation, built.body, pools);
  // A link has a form of its own, so that of the draft is kept.
  const { fresh = "reference" }: Operation = contract[operation];
  const isReference = fresh === "reference" || fresh === "accountReference";
  const withReference = (text: string) => (isReference ? text.replaceAll(reference, REFERENCE) : text);
  const usesWholeNotes = client.builder.formOf("note", operation) === "full";
  const body = request.body && withMarkers(request.body.toString("utf8"), pooled, usesWholeNotes);
  const prepared: PreparedStep = {
    ...step,
    row: requestRow(operation),
    template: { url: withReference(url), headers, body: body ? withReference(body) : null },
    pooled,
    ...(stake !== undefined && {
      stakeAt: (origin) => {
        const amount = valueAt(pools, pooled.amount, origin);
        return amount === undefined
          ? stake
          : inUnits(contract[operation], Number(JSON.parse(amount)), client.target);
      },
    }),
  };
  return { step: prepared, amounts, missing: missingFor(step, built, client), stake };
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

/** The kind of the records at a place, which is `kind.member`. */
const kindOf = (place: string) => place.replace(/\..*/s, "");

/** The value that the iteration `origin` has from a place; `undefined` if there is none. */
const valueAt = (pools: Pools, place = "", origin = 0): string | undefined =>
  rowAt(pools[kindOf(place)] ?? [], origin)?.[place.slice(kindOf(place).length + 1)];

/** The fields of a body that have a pool, each with its place there. */
function placesOf(operation: OperationId, body: Draft["body"], pools: Pools): Record<string, string> {
  const has = (place: string) => {
    const key = KEYS[kindOf(place)];
    return valueAt(pools, place) !== undefined && (key === undefined || key in (body ?? {}));
  };
  return Object.fromEntries(
    Object.keys(body ?? {}).flatMap((field) => {
      const place = (PLACES[field] ?? []).map((one) => one.replaceAll("{operation}", operation)).find(has);
      return place ? [[field, place]] : [];
    }),
  );
}

/** Puts a marker in place of each pooled value; k6 fills in text that is already JSON. */
function withMarkers(text: string, pooled: PreparedStep["pooled"], usesWholeNotes: boolean): string {
  if (Object.keys(pooled).length === 0) return text;
  const body = JSON.parse(text) as Record<string, unknown>;
  for (const [field, place] of Object.entries(pooled)) {
    const marker = markerOf(place);
    body[field] = place === WORDS && usesWholeNotes ? `${body[field]} ${marker}` : marker;
  }
  // Words stay within their quotes; any other value brings its own.
  const bare = Object.values(pooled).filter((place) => place !== WORDS);
  return bare
    .map(markerOf)
    .reduce((filled, marker) => filled.replaceAll(`"${marker}"`, marker), JSON.stringify(body));
}

/**
 * Asks for a page of each list that a load reads. If the API rejects the ordinary page size, the builder uses one that
 * it accepts from then on.
 */
export async function learnPageSizes(client: Client, steps: Steps): Promise<void> {
  const { builder } = client;
  for (const id of new Set(steps.map(({ operation }) => operation)))
    await adoptLimit(builder, id, (query) => client.send(id, builder.build(id, { query }), "page-size"));
}

/** Counts the different customers and beneficiaries that the requests of a run name. */
export function recordsIn({ steps, pools }: Prepared, iterations: number): Records {
  const schedule = new Schedule(steps);
  const named = { customerId: new Set<string>(), email: new Set<string>(), accountNumber: new Set<string>() };
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.requestAt(iteration);
    // Without a pool, the value is always the operator's.
    for (const [field, names] of Object.entries(named))
      if (step.template.body?.includes(`"${field}":`))
        names.add(valueAt(pools, step.pooled[field], origin) ?? field);
  }
  // Only a virtual account names its customer by an e-mail address.
  const customers = named.customerId.size || named.email.size;
  const beneficiaries = named.accountNumber.size;
  return { ...(customers > 0 && { customers }), ...(beneficiaries > 0 && { beneficiaries }) };
}

/** There is at most one probe of each kind in this number of requests, and there are two in a run of any length. */
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
export async function prepareProbes(client: Client, iterations: number): Promise<Probes | undefined> {
  if (isOutOfScope(client.target, "listTransfers")) return undefined;
  const { unused } = referencesOfRun(client);
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
  const read = async (limit: number) => {
    const draft = client.builder.build("listTransfers", { query: { limit, page: 1 } });
    const { request, send } = await client.prepare("listTransfers", draft, "probe");
    const response = await send();
    return { request, body: response.isSuccess ? response.json : undefined };
  };
  for (const [small, limit] of LIMITS) {
    const [few, many] = [await read(small), await read(limit)];
    if (few.body === undefined || many.body === undefined) continue;
    const before = sizes(few.body);
    const grown = [...sizes(many.body)].flatMap(([place, size]) =>
      !place.includes("*") && before.get(place) === small && size > small && size <= limit ? place : [],
    );
    const [place] = grown.toSorted((a, b) => a.length - b.length);
    return place === undefined ? undefined : { ...templateOf(many.request), limit, place };
  }
  return undefined;
}

/** The request without its id, which k6 makes anew. */
const templateOf = ({ origin, path, headers }: WireRequest): Template => ({
  url: origin + path,
  headers: Object.fromEntries(headers.filter(([name]) => name !== "X-Request-Id")),
  body: null,
});

/** What k6 has to know about an operation to call it and to classify its responses. */
export function requestRow(id: OperationId): RequestRow {
  const operation: Operation = contract[id];
  const { method, effect, tolerated } = operation;
  const { status, ...predicate } = operation.success;
  const range = status === "2xx" ? { from: 200, to: 299 } : { from: status, to: status };
  return {
    method,
    effect,
    success: { ...range, ...predicate },
    accepted: fieldsOf(tolerated ?? successSchema(operation)),
    rejections: rejectionsOf(operation),
  };
}

/** The rejections whose body is documented; if the status codes are not, any status below 500 may have it. */
function rejectionsOf({ responses, errorBody, success }: Operation): RequestRow["rejections"] {
  if (errorBody) return [{ from: 200, to: 499, fields: fieldsOf(errorBody) }];
  return Object.entries(responses)
    .map(([status, schema]) => ({ from: Number(status), to: Number(status), fields: fieldsOf(schema) }))
    .filter(({ from, fields }) => from !== success.status && fields.length > 0);
}

/** The required top-level fields of a body, with types that k6 can check cheaply with `typeof`. */
function fieldsOf(schema: z.ZodType): Fields {
  // An empty registry, so that no schema has a name and becomes a reference.
  const metadata = z.registry<object>();
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: "any", metadata });
  return required.map((name) => {
    const field = properties[name];
    const types =
      typeof field === "object" ? [field, ...(field.anyOf ?? [])].flatMap(({ type = [] }) => type) : [];
    return { name, types: types.map((type) => (type === "integer" ? "number" : type)) };
  });
}
