import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  hasInAnyCase,
  listOf,
  type Page,
  type Query,
  sameItems,
  skip,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect, Operation } from "../../../schemas/operation.ts";
import { choicesOf, fieldsOf } from "../../../schemas/probes.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import { consentToRepeat } from "../requests.ts";
import { findMade, listFilledBy } from "../values/find-made.ts";
import { newlyShown } from "../values/shown-values.ts";

const check = checksIn("repeats");

const noImage = (name: string, type: string) => new File(["This is no image."], name, { type });

/** Files that are no images, which an API may look at last; they are not in the contract, which k6 reads too. */
const FILES: Readonly<Partial<Record<OperationId, readonly Defect[]>>> = {
  createPaymentPage: [
    {
      what: "its seoImage is a text file",
      change: { body: { seoImage: noImage("notes.txt", "text/plain") } },
    },
    {
      what: "its seoImage holds a text under the name of an image",
      change: { body: { seoImage: noImage("image.png", "image/png") } },
    },
  ],
};

// A rejected request leaves nothing: what it would have taken is still free.
for (const { id, noun, takes } of operations) {
  if (!takes || takes.late.length === 0) continue;
  const { field } = takes;
  const late = [...takes.late, ...(FILES[id] ?? [])];
  const title = `accepts ${noun} with the ${field} of a request that it rejected`;
  const options = { should: "practice", ...consentToRepeat(id, late.length), probe: true } as const;
  check(`${id}/${field}-after-rejection`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    await ctx.ordinary(id);
    const rejected = await Promise.all(late.map((defect) => expectStillFree(ctx, id, field, defect)));
    if (!rejected.includes(true)) undecided(`no request with a ${field} of its own was rejected`);
  });
}

/** Enough for two instances behind a load balancer. */
const INSTANCES = 2;

// A rejected request leaves nothing in an object that later requests fill again: they have no fields but their own.
for (const { id, noun, takes } of operations) {
  const list = listFilledBy(id)?.id;
  if (!takes || takes.late.length === 0 || !list) continue;
  const { field } = takes;
  const title = `lists ${noun} without values of a request that it rejected before`;
  const options = { critical: "practice", ...consentToRepeat(id, INSTANCES), probe: true } as const;
  check(`${id}/fields-after-rejection`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    const control = await ctx.ordinary(id);
    const before = await requireRecord(ctx, list, control, field);
    const fields = unusualFields(ctx, control);
    const taken: Defect = {
      what: `its ${field} is taken`,
      change: { body: { [field]: control.bodySent[field] } },
    };
    const rejected: ApiResponse[] = [];
    const sent: ApiResponse[] = [];
    // Another request could be the next to use such an object.
    await ctx.run.client.alone(async () => {
      for (const { change } of [...takes.late, ...Array<Defect>(INSTANCES).fill(taken)]) {
        const body = { ...fields, ...change.body };
        const response = await ctx.sendInvalid(id, { body }, { retry: false, alone: true, mayBeBusy: true });
        if (response.kind === "rejected") rejected.push(response);
      }
      if (rejected.length === 0) skip(`every ${field} is accepted, also one that is taken`);
      for (let n = 0; n < INSTANCES; n += 1) sent.push(await ctx.send(id, {}, { alone: true }));
    });
    for (const response of sent) {
      if (response.kind !== "done") undecided(`${response.outcome} after the rejections`, `${id}/accepted`);
      const after = await requireRecord(ctx, list, response, field);
      const kept = newlyShown(fields, before.record, after.record);
      const actual = `lists ${noun} that was sent without ${kept.join(" and ")}, with the ${kept.join(" and ")} of a request that it rejected before`;
      const others = [before.response, ...rejected, response];
      demand(kept.length === 0, after.response, actual, "the same as for such a request before", others);
    }
  });
}

// A request that is rejected leaves no filter where the next one finds it. Where the API accepts a value that looks wrong,
// none may stay either.
for (const operation of operations) {
  const { id, list } = operation;
  if (!list) continue;
  const title = "lists the same without a filter right after requests with a filter and a wrong value";
  check(`${id}/filter-after-rejection`, title, { should: "practice", scope: "paging" }, async (ctx) => {
    const before = await listOf(ctx, id).widest();
    const { length } = before.items;
    if (length === 0) undecided("the list is empty", { advice: `add one ${list.item}` });
    const { choices, queries } = await wrongQueries(ctx, operation);
    const seen: Page[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { responses, pages } = await readRightAfter(ctx, id, queries);
      const short = await findNarrowed(ctx, id, before, pages, choices);
      if (!short && round === 0) return;
      if (short) seen.push(short);
      // Others may have changed the list, but not twice in the same way.
      const actual = `listed ${short?.items.length} of ${plural(length, list.item)} without a filter, right after requests with a filter and a wrong value`;
      if (short && seen.length > 1)
        demand(false, short.response, actual, "the same as before", [before.response, ...responses]);
    }
    undecided("moving data: the list lacked records after such requests, but only once", {
      advice: "repeat the run while no one else uses the deployment",
    });
  });
}

/** How often a list is read after such requests, if it lacks records the first time. */
const ROUNDS = 3;

/** Queries that have a filter that finds nothing, as far as the list has one, and one value that is wrong. */
async function wrongQueries(ctx: CheckContext, operation: Operation) {
  const id = operation.id as OperationId;
  const { list, query } = operation;
  const choices = Object.fromEntries(
    Object.entries(query?.shape ?? {}).flatMap(([name, field]) => {
      const last = choicesOf(field).at(-1);
      return last === undefined ? [] : [[name, last]];
    }),
  );
  const filter = { ...choices, [list?.search ?? ""]: await listOf(ctx, id).unusedText() };
  const wrong = fieldsOf(operation, "query")
    .filter(({ field }) => field !== list?.search)
    .flatMap(({ field, type }) => {
      const names = type === "number" && !list?.paged ? ["abc", UNKNOWN_ID] : ["abc"];
      return names.map((value) => ({ [field]: value }));
    });
  return { choices, queries: wrong.map((one) => ({ ...filter, ...one })) };
}

/** Sends requests that the API should reject, and reads the list right after them: no other request comes between. */
async function readRightAfter(ctx: CheckContext, id: OperationId, queries: readonly Query[]) {
  const { list }: Operation = contract[id];
  const window = list?.paged ? await listOf(ctx, id).window() : {};
  const responses: ApiResponse[] = [];
  const pages: Page[] = [];
  await ctx.run.client.alone(async () => {
    for (const query of queries) {
      const options = { retry: false, alone: true } as const;
      responses.push(await ctx.sendInvalid(id, { query: { ...window, ...query } }, options));
    }
    for (let n = 0; n < INSTANCES; n += 1)
      pages.push(await listOf(ctx, id).itemsOf(await ctx.send(id, { query: window }, { alone: true })));
  });
  return { responses, pages };
}

/** Finds a page that lacks items as if it were filtered: it has none, or only those that have one of the choices. */
async function findNarrowed(
  ctx: CheckContext,
  id: OperationId,
  before: Page,
  pages: readonly Page[],
  choices: Query,
) {
  const isRead = ({ status, kind, jsonProblem }: ApiResponse) =>
    status === 404 || (kind === "done" && !jsonProblem);
  const short = pages.filter(({ response, items }) => items.length < before.items.length && isRead(response));
  if (short.length === 0) return undefined;
  const empty = short.find(({ items }) => items.length === 0);
  if (empty || Object.keys(choices).length === 0) return empty;
  const chosen = await listOf(ctx, id).widest(choices);
  const identity = await listOf(ctx, id).identity();
  return short.find(({ items }) => sameItems(items, chosen.items, identity));
}

/** Values for all optional fields that a request was sent without; those of a boolean are not the usual ones. */
function unusualFields({ run }: CheckContext, { operation, bodySent }: ApiResponse) {
  const { id, free = {} }: Operation = operation;
  const fields = Object.entries(run.builder.optional(id as OperationId));
  return Object.fromEntries(
    fields
      .filter(([name]) => !(name in bodySent))
      .map(([name, value]) => [name, free[name] === "boolean" ? !value : value]),
  );
}

/** The record that a list shows of an accepted request; throws `Inconclusive` if it shows none. */
async function requireRecord(
  ctx: CheckContext,
  list: OperationId,
  { operation, bodySent }: ApiResponse,
  field: string,
) {
  const value = String(bodySent[field]);
  const find = async () => {
    const { response } = await findMade(ctx, operation.id as OperationId, value);
    const { items } = await listOf(ctx, list).itemsOf(response);
    return { response, record: items.find((item) => hasInAnyCase(JSON.stringify(item), value)) };
  };
  const found = await ctx.run.settling.until(find, ({ record }) => record !== undefined);
  if (!found.record) undecided(`no list shows ${operation.noun} of this run`);
  return found;
}

/** Sends a request with a defect, and then without it; returns whether the API rejected the first one. */
async function expectStillFree(ctx: CheckContext, id: OperationId, field: string, { what, change }: Defect) {
  const draft = ctx.draft(id);
  const body = { ...draft.body, ...change.body };
  const first = await ctx.sendInvalid(
    id,
    {},
    {
      draft: { ...draft, body },
      retry: false,
      mayBeBusy: true,
    },
  );
  if (first.kind !== "rejected") return false;
  const corrected = await ctx.send(id, {}, { draft, repeats: [first] });
  if (corrected.kind === "done") return true;
  // Only a request that is accepted with another value shows that the value is the reason.
  const other = await ctx.send(id);
  const { noun } = contract[id];
  const actual = `${corrected.outcome} for ${noun} that it rejected before because ${what}, although this was corrected, and ${other.outcome} for one with another ${field}`;
  demand(other.kind !== "done", corrected, actual, "nothing of a rejected request to remain", [first, other]);
  return false;
}
