import { hasInAnyCase } from "../../fixtures/engine/lists/items.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  demandDone,
  ifDecided,
  listOf,
  type Page,
  pathInRecord,
  type Query,
  type SendOptions,
  scalars,
  undecided,
  withOptionalFields,
} from "../../fixtures/engine/vocabulary.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { shows } from "../every-operation/values/shown-values.ts";
import { updatesOf } from "./named-code.ts";

const LIST = "listDiscountCodes";
const CREATE = "createDiscountCode";
const UPDATE = "updateDiscountCode";

/** Some values of a discount code. */
export type Values = Readonly<Record<string, unknown>>;

/** Two updates of a code: what carries out the first one carries out the second one too. */
export const FILLED = { isActive: true, minOrderAmount: 100 };
export const EMPTIED = { isActive: false, minOrderAmount: 0 };

/** Updates an inactive code of the run four times, and lists it before and after each update; once per run. */
export const updatedCode = (ctx: CheckContext) =>
  ctx.run.once("updated discount code", async () => {
    await ctx.ordinary(UPDATE);
    const created = await inactiveCode(ctx);
    const before = await requireItem(ctx, codeOf(created));
    const changed = await update(ctx, created, { value: 8.5 }).catch(async (error) => {
      await expectRefusedForActive(ctx, created);
      throw error;
    });
    const filled = await update(ctx, created, FILLED);
    const again = await update(ctx, created, { value: 9.5 });
    return { before, changed, filled, again, emptied: await update(ctx, created, EMPTIED) };
  });

/** Demands that an update which is rejected for an inactive code is rejected for an active one too: nothing else could activate it. */
async function expectRefusedForActive(ctx: CheckContext, inactive: ApiResponse) {
  const { isActive: _, ...body } = inactive.bodySent;
  const active = await ctx.sendTolerated(CREATE, { body: { ...body, code: FRESH } });
  if (active.kind !== "done") return;
  const { response } = await update(ctx, active, { value: 8.5 });
  const again = await ctx.send(UPDATE, (await updatesFor(ctx, inactive))({ value: 8.5 }));
  const actual = `${again.outcome} to an update of an inactive discount code, and accepts the same of an active one`;
  demand(again.kind !== "rejected", again, actual, "an accepted update", [response]);
}

/** Creates an inactive discount code, once per run; with limits that are hardly a default and with dates, unless they are rejected. */
async function inactiveCode(ctx: CheckContext) {
  const body = { isActive: false, value: 7.5 };
  const { startDate, endDate, ...others } = ctx.run.builder.optional(CREATE);
  const limits = Object.entries(others).filter(([name]) => /^(min|max)/.test(name));
  // The dates are in the future: an API that derives from them whether a code is active takes this one for inactive, too.
  const dated = { ...body, startDate, endDate };
  const limited = {
    ...dated,
    ...Object.fromEntries(limits.map(([name, value]) => [name, 2 * Number(value)])),
  };
  const created = await ctx.once("inactive discount code", async () => {
    const send = (values: Values) => ctx.sendTolerated(CREATE, { body: values });
    let response = await send(limited);
    for (const fewer of [dated, body]) if (response.statusClass === 4) response = await send(fewer);
    return response;
  });
  if (created.kind !== "done") undecided(`an inactive discount code with a fraction ${created.fate}`);
  return created;
}

/** Updates a code that the run created, and lists it until it shows the new values, for SETTLE_SECONDS at most. */
export async function update(ctx: CheckContext, created: ApiResponse, values: Values) {
  const code = codeOf(created);
  const response = await ctx.send(UPDATE, (await updatesFor(ctx, created))(values));
  if (response.kind !== "done") undecided(`an update to ${JSON.stringify(values)} ${response.fate}`);
  return { response, ...(await listUntil(ctx, code, values)) };
}

/** Asks once for a discount code by its name. */
export async function readCode(ctx: CheckContext, code: string, options: SendOptions = {}) {
  const list = await demandDone(ctx, await ctx.send(LIST, { query: { code } }, options));
  return { list, item: await itemOf(ctx, list, code) };
}

/** Lists a discount code until it shows these values, if it shows such at all, for SETTLE_SECONDS at most. */
export async function listUntil(ctx: CheckContext, code: string, values: Values, options: SendOptions = {}) {
  return ctx.run.settling.until(
    () => readCode(ctx, code, options),
    ({ item }) =>
      item !== undefined &&
      Object.entries(values).every(([name, value]) => shows(item, name, value) !== false),
  );
}

/** Makes the updates of a code that the run created, as DISCOUNT_UPDATE names one; throws `NotTested` if none can be made. */
export const updatesFor = (ctx: CheckContext, created: ApiResponse) =>
  updatesOf(ctx, created, async () => {
    const item = await requireItem(ctx, codeOf(created));
    return { item, items: (await allCodes(ctx)).items };
  });

/** The item of a list that shows a discount code; throws `Inconclusive` if the list does not show it. */
export const requireItem = async (ctx: CheckContext, code: string) =>
  itemOf(ctx, await requireListed(ctx, { code }, code), code);

async function itemOf(ctx: CheckContext, list: ApiResponse, code: string) {
  const { items } = await listOf(ctx, LIST).itemsOf(list);
  return items.find((one) => hasInAnyCase(JSON.stringify(one), code));
}

export const codeOf = (created: ApiResponse) => String(created.bodySent.code);

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; throws `Inconclusive` if the API rejects it. */
export async function codeOfProduct(ctx: CheckContext) {
  const productId = ctx.need("PRODUCT_ID");
  const created = await withOptionalFields(ctx, "createDiscountCode");
  if (created.kind !== "done")
    undecided("no discount code of a product was created", "createDiscountCode/optional-fields");
  return { created, productId, code: codeOf(created) };
}

/** Lists discount codes until a code of this run is shown, for SETTLE_SECONDS at most. */
export async function awaitCode(ctx: CheckContext, query: Query, code: string) {
  const read = async () => {
    const response = await demandDone(ctx, await ctx.send(LIST, { query }));
    return { response, isListed: await showsCode(ctx, response, code) };
  };
  const found = await ctx.run.once(`discount code/${JSON.stringify(query)}`, () =>
    ctx.run.settling.until(read, ({ isListed }) => isListed),
  );
  ctx.note(found.response);
  return found;
}

/** As {@link awaitCode}; throws `Inconclusive` if the list never shows the code. */
export async function requireListed(ctx: CheckContext, query: Query, code: string): Promise<ApiResponse> {
  const { response, isListed } = await awaitCode(ctx, query, code);
  if (isListed) return response;
  undecided(
    `the list does not show a discount code of this run for its ${Object.keys(query).join(" and ")}`,
    "listDiscountCodes/created-code-is-listed",
  );
}

/** Whether the listed items show a code, or the body if it is unknown where they are, but for the query that it may repeat. */
export async function showsCode(ctx: CheckContext, response: ApiResponse, code: string): Promise<boolean> {
  const page = await ifDecided(listOf(ctx, LIST).itemsOf(response));
  const unasked = response.text.replaceAll(`=${encodeURIComponent(code)}`, "");
  return hasInAnyCase(page ? JSON.stringify(page.items) : unasked, code);
}

/** Asks once for discount codes, and whether one is among them; a rejected query lists none. */
export async function findCode(ctx: CheckContext, query: Query, code: string, options: SendOptions = {}) {
  const response = await ctx.send(LIST, { query }, options);
  return { response, isListed: response.kind === "done" && (await showsCode(ctx, response, code)) };
}

/** The names under which items may show what a filter compares. */
export const SHOWN = { code: /^(discount_?)?code$/i, productId: /^product_?id$/i } as const;

/** Lists all discount codes, once per run and after its writes. */
export async function allCodes(ctx: CheckContext): Promise<Page> {
  const response = await ctx.once("all discount codes", () => ctx.send(LIST));
  if (response.kind !== "done")
    undecided(`${response.outcome}: the list could not be read`, `${LIST}/accepted`);
  return listOf(ctx, LIST).itemsOf(response);
}

/** The values of a filter's field that listed codes show, the rarest first. */
export function shownValues({ items }: Page, filter: keyof typeof SHOWN): string[] {
  const values = items.flatMap((item) =>
    scalars(item).flatMap(([path, value]) => (SHOWN[filter].test(pathInRecord(path)) ? [String(value)] : [])),
  );
  const count = (value: string) => values.filter((other) => other === value).length;
  return [...new Set(values)].toSorted((a, b) => count(a) - count(b));
}

export const read = async (ctx: CheckContext, query: Query) =>
  listOf(ctx, LIST).itemsOf(await ctx.send(LIST, { query }));

/**
 * Creates a discount code, and one of the same name but with another value as the other merchant, once per run; `listed` is
 * the first of the two as the list then shows it, before any check changes it.
 */
export async function namesakes(ctx: CheckContext) {
  const { other } = ctx;
  await other.profile();
  const own = await ctx.once("discount code with a namesake", () => ctx.sendTolerated("createDiscountCode"));
  if (own.kind !== "done") undecided(`a second discount code ${own.fate}`);
  const code = codeOf(own);
  await requireListed(ctx, { code }, code);
  const body = { code, value: Number(own.bodySent.value) + 1 };
  const theirs = await ctx.once("namesake", () => other.send("createDiscountCode", { body }));
  const look = () => listUntil(ctx, code, { value: own.bodySent.value });
  const listed =
    theirs.kind === "done" ? await ctx.run.once("code with a namesake, listed", look) : undefined;
  return { own, theirs, listed };
}
