import { Inconclusive, ifDecided, NotTested } from "../../fixtures/engine/http/findings.ts";
import { dateIn, writeDate } from "../../fixtures/engine/http/invented.ts";
import { isReadable } from "../../fixtures/engine/http/readable.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { sendTolerated } from "../../fixtures/engine/judge/check-families.ts";
import {
  acceptedControl,
  expectFilterAccepted,
  sendAccepted,
} from "../../fixtures/engine/judge/expect-accepted.ts";
import { expectAnswered, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { withOptionalFields } from "../../fixtures/engine/judge/optional-fields.ts";
import { hasInAnyCase, pathInRecord, sameItems, scalars } from "../../fixtures/engine/lists/items.ts";
import { locate, type Page, pageOf, type Query } from "../../fixtures/engine/lists/list.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl, secondMerchant } from "../../fixtures/engine/run/control.ts";
import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { oneOfEachKind } from "../every-operation/repeatability/kinds.ts";
import { keepsEveryPart } from "../every-operation/repeatability/race.ts";
import { agrees, membersNamed, newlyShown, shows } from "../every-operation/values/shown-values.ts";
import { updatesOf } from "./named-code.ts";

const LIST = "listDiscountCodes";
const check = checksUnder(LIST);
const should = { should: ["R090"] } as const;

check("created-code-is-listed", "lists a new discount code", should, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  const { response, isListed } = await awaitCode(ctx, { code }, code);
  expectThat(isListed, response, "does not list a discount code that this run created", "the code");
});

const EACH_LISTED = "lists a discount code of each kind that the run created";
check("created-codes-are-listed", EACH_LISTED, { critical: ["R090"] }, async (ctx) => {
  const first = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await requireListed(ctx, { code: first }, first);
  if (ctx.target.allow.probeWrites) await withOptionalFields(ctx, "createDiscountCode");
  // A list may leave out a code that was created as deleted.
  const created = ctx.run
    .responsesTo("createDiscountCode")
    .filter((one) => one.isSentWith(ctx.target.secretKey))
    .filter((one) => one.isSuccess && isReadable(one, ctx.target) && one.bodySent.isDelete !== true)
    .filter((one) => ctx.run.builder.isInUsualForm(codeOf(one)));
  for (const one of oneOfEachKind(created)) {
    const { response, isListed } = await awaitCode(ctx, { code: codeOf(one) }, codeOf(one));
    const actual = "does not list a discount code of this run, although it lists others";
    expectThat(isListed, response, actual, "every code that it accepted", [one]);
  }
});

const FOUND = "finds at least one of its new discount codes if it finds older ones";
check("created-codes-are-found", FOUND, { must: ["R090"] }, async (ctx) => {
  const created = [await acceptedControl(ctx, "createDiscountCode")];
  if (ctx.values.PRODUCT_ID !== undefined) created.push((await codeOfProduct(ctx)).created);
  for (const code of created.map(codeOf)) if ((await awaitCode(ctx, { code }, code)).isListed) return;
  const all = await allCodes(ctx);
  const sent = created.map(({ textSent }) => textSent).join();
  const older = shownValues(all, "code").find((code) => !sent.includes(code));
  const { items } = older === undefined ? { items: [] } : await read(ctx, { code: older });
  if (items.length === 0 || items.length === all.items.length)
    throw new Inconclusive("the list has no older discount code that the filter code finds");
  const isListed = created.some((one) => hasInAnyCase(all.response.text, codeOf(one)));
  const actual = "lists and finds older discount codes, but none of those that this run created";
  expectThat(isListed, all.response, actual, "the new codes as well");
});

const UPDATED_IS_FOUND = "finds by its code a discount code that it updates";
check("updated-code-is-found", UPDATED_IS_FOUND, { should: ["R090"] }, async (ctx) => {
  // Where the list is in a response can be seen only if it is not empty.
  await controlOf(ctx, "createDiscountCode");
  const update = await requireControl(ctx, "updateDiscountCode");
  const { query, body } = ctx.draft("updateDiscountCode");
  const named = [query, body].map((part) =>
    Object.entries(part ?? {}).filter(([name]) => SHOWN.code.test(name)),
  );
  // How a code is identified is undocumented (N28); an update that names two may rename one.
  const [code, ...others] = new Set(named.flat().map(([, value]) => String(value)));
  if (code === undefined || others.length > 0 || body?.isDelete === true || body?.isActive === false)
    throw new NotTested("not-applicable", "DISCOUNT_UPDATE does not name one code that stays listed");
  // A code may be stored in another letter case.
  const look = async () => {
    const forms = [...new Set([code, code.toUpperCase(), code.toLowerCase()])];
    for (const form of forms) if ((await findCode(ctx, { code: form }, code)).isListed) return undefined;
    return findCode(ctx, { code }, code);
  };
  const missing = await ctx.run.settling.until(look, (found) => found === undefined);
  if (!missing) return;
  const unknown = ctx.run.builder.fresh("code");
  const [inQuery, inBody] = named.map((members) =>
    Object.fromEntries(members.map(([name]) => [name, unknown])),
  );
  const change = { query: inQuery ?? {}, body: inBody ?? {} };
  if ((await ctx.sendInvalid("updateDiscountCode", change)).looksAccepted)
    throw new Inconclusive("an update of a discount code that does not exist is accepted as well");
  expectThat(false, missing.response, "does not find a discount code that it updates", "the code", [update]);
});

/** Values of the filters that no code has. */
const UNKNOWN = {
  code: (ctx: CheckContext) => ctx.run.builder.fresh("code"),
  productId: () => String(UNKNOWN_ID),
} as const;

for (const [name, filter] of [
  ["code-filter-applied", "code"],
  ["product-filter-applied", "productId"],
] as const)
  check(name, `applies the filter ${filter}`, { must: ["R090"], scope: "paging" }, async (ctx) => {
    const all = await allCodes(ctx);
    const { identity = JSON.stringify } = await locate(ctx, LIST);
    const [value] = shownValues(all, filter);
    const found = `the list has ${plural(all.items.length, "discount code")}, of which ${value === undefined ? "none" : "some"} shows its ${filter}`;
    if (all.items.length < 2 || value === undefined)
      throw new Inconclusive(`${found}, but this check needs 2 that show it`, {
        advice: "add discount codes",
      });
    const known = await read(ctx, { [filter]: value });
    if (known.items.length === 0 && (await read(ctx, { [filter]: value })).items.length === 0)
      ctx.warn(`finds nothing for ${filter}=${value}, which a discount code of the list has`, {
        critical: true,
        response: known.response,
      });
    const none = await read(ctx, { [filter]: UNKNOWN[filter](ctx) });
    const isIgnored = none.items.length > 1 && sameItems(known.items, none.items, identity);
    const actual = `lists the same ${plural(none.items.length, "discount code")} for a ${filter} that exists and for one that does not`;
    expectThat(!isIgnored, none.response, actual, `only the codes with the ${filter} that is asked for`);
  });

check("other-merchant", "lists no discount code of another merchant", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await requireListed(ctx, { code }, code);
  await needAccepted();
  // The whole list may be cut short, so the code is also asked for by name.
  for (const query of [{}, { code }]) {
    const { response, isListed } = await findCode(ctx, query, code, { authorization });
    expectThat(!isListed, response, "lists a discount code of another merchant", "only the key's own codes");
  }
});

check("filters-accepted", "accepts the filter code", { must: ["R090", "R091"] }, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  // A code may be stored in another letter case, and then a filter finds nothing.
  await expectFilterAccepted(ctx, LIST, { code });
});

check("product-code-is-listed", "lists a code under its productId", should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await requireListed(ctx, { code }, code);
  const all = await awaitCode(ctx, { productId }, code);
  if (all.isListed) return;
  // A product may have too many codes for one response.
  const response = await sendAccepted(ctx, LIST, { query: { productId, code } });
  const isListed = await isAmongItems(ctx, response, code);
  expectThat(isListed, response, "does not list a discount code of this run under its productId", "the code");
});

for (const [name, title, fields] of [
  [
    "product-unknown",
    "lists no code of another product under a productId that does not exist",
    ["productId"],
  ],
  ["filters-combined", "lists only codes that match both productId and code", ["productId", "code"]],
] as const)
  check(name, title, { should: ["R090"] }, async (ctx) => {
    const known = await codeOfProduct(ctx);
    const query = Object.fromEntries(fields.map((field) => [field, known[field]]));
    await requireListed(ctx, query, known.code);
    for (const field of fields) {
      const { response, isListed } = await findCode(
        ctx,
        { ...query, [field]: UNKNOWN[field](ctx) },
        known.code,
      );
      const actual = `lists a discount code with another ${field} than the query, which has ${fields.join(" and ")}`;
      expectThat(!isListed, response, actual, "only codes that match the query");
    }
  });

check("fields-as-sent", "lists a discount code as it was sent", { critical: ["R090"] }, async (ctx) => {
  const hasProduct = ctx.values.PRODUCT_ID !== undefined;
  const ordinary = await acceptedControl(ctx, "createDiscountCode");
  const created = hasProduct ? (await codeOfProduct(ctx)).created : ordinary;
  // An API may derive from the dates whether a code is active.
  const { isActive: _, ...sent } = created.bodySent;
  await expectListedAsSent(ctx, sent);
});

const INACTIVE_CODE_AS_SENT = "lists an inactive discount code with the values that were sent";
check("inactive-code-as-sent", INACTIVE_CODE_AS_SENT, { critical: ["R090"], probe: true }, async (ctx) => {
  await expectListedAsSent(ctx, (await inactiveCode(ctx)).bodySent);
});

const IMPOSSIBLE = "lists no other date for a startDate that does not exist, such as 30 February";
check("impossible-date-as-sent", IMPOSSIBLE, { should: ["R090"], probe: true }, async (ctx) => {
  const impossible = `${new Date().getUTCFullYear() + 1}-02-30`;
  const startDate = writeDate(impossible, ctx.run.builder.formOf("date", CREATE));
  const created = await sendTolerated(ctx, CREATE, { body: { startDate, endDate: undefined } });
  if (created.isSuccess) await expectListedAsSent(ctx, { code: codeOf(created), startDate });
});

const DIGITS = "finds a discount code of digits that begins with a zero, exactly as sent";
check("digit-code-is-found", DIGITS, { critical: ["R090"], probe: true }, async (ctx) => {
  const first = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await requireListed(ctx, { code: first }, first);
  const code = `0${ctx.run.builder.fresh("code", "digits").slice(1)}`;
  const created = await sendTolerated(ctx, "createDiscountCode", { body: { code } });
  ctx.observe("N40", `a discount code of digits that begins with a zero ${created.fate}`);
  if (!created.isSuccess) return;
  const { response, isListed } = await awaitCode(ctx, { code }, code);
  const { items } = await pageOf(ctx, LIST, response);
  const numbers = items
    .flatMap((item) => scalars(item))
    .filter(([, value]) => Number(value) === Number(code));
  const shown = numbers.map(([, value]) => JSON.stringify(value)).join(" and ");
  const instead = shown ? `shows the code ${code} as ${shown}` : `finds nothing for code=${code}`;
  const actual = `${instead}, although it finds codes that have letters`;
  expectThat(isListed, response, actual, "the code that it accepted", [created]);
});

const CREATE = "createDiscountCode";
const UPDATE = "updateDiscountCode";
const OF_TWO = { critical: "G18", probe: true, scope: "second-merchant" } as const;

const APART = "keeps discount codes of the same name of two merchants apart";
checksUnder(CREATE)("two-merchants", APART, OF_TWO, async (ctx) => {
  const { own, theirs, listed } = await namesakes(ctx);
  ctx.observe("G18", `a discount code of the name of another merchant's ${theirs.fate}`);
  if (!listed) return;
  const code = codeOf(own);
  const { list, item } = listed;
  ctx.note(list);
  // Either the write of the other merchant took the code away, or its reads at the same moment are mixed up with these.
  const others = [own, theirs];
  const lost =
    "does not list a discount code that it listed before another merchant created one of the same name";
  expectThat(item !== undefined, list, lost, `the code ${code}`, others);
  const isKept = shows(item, "value", own.bodySent.value) !== false;
  const mixed = "lists another value of a discount code that has the same name as one of another merchant";
  expectThat(isKept, list, mixed, "the value that was sent", others);
});

const UNCHANGED = "does not change the discount code of the same name of another merchant in an update";
checksUnder(UPDATE)("other-merchant-same-code", UNCHANGED, OF_TWO, async (ctx) => {
  await requireControl(ctx, UPDATE);
  const { own, theirs, authorization } = await namesakes(ctx);
  if (!theirs.isSuccess)
    throw new NotTested("not-applicable", `a discount code of the name of another merchant's ${theirs.fate}`);
  const { value } = theirs.bodySent;
  const read = () => listUntil(ctx, codeOf(theirs), { value }, { authorization });
  const before = await read();
  if (shows(before.item, "value", value) !== true)
    throw new Inconclusive("the other merchant's list does not show the value of its discount code");
  const { response } = await update(ctx, own, { value: Number(value) + 1 });
  const { list, item } = await read();
  const isKept = shows(item, "value", value) === true;
  const actual = "changed the discount code of another merchant that has the same name";
  expectThat(isKept, list, actual, "an update of the key's own code only", [before.list, response]);
});

/**
 * Creates a discount code, and one of the same name but with another value as the other merchant, once per run; `listed` is
 * the first of the two as the list then shows it, before any check changes it.
 */
async function namesakes(ctx: CheckContext) {
  const { authorization, needAccepted } = secondMerchant(ctx);
  await needAccepted();
  const own = await ctx.once("discount code with a namesake", () => sendTolerated(ctx, CREATE));
  if (!own.isSuccess) throw new Inconclusive(`a second discount code ${own.fate}`);
  const code = codeOf(own);
  await requireListed(ctx, { code }, code);
  const body = { code, value: Number(own.bodySent.value) + 1 };
  const theirs = await ctx.once("namesake", () => ctx.send(CREATE, { body }, { authorization }));
  expectAnswered(theirs);
  const look = () => listUntil(ctx, code, { value: own.bodySent.value });
  const listed = theirs.isSuccess ? await ctx.run.once("code with a namesake, listed", look) : undefined;
  return { own, theirs, listed, authorization };
}

type Values = Readonly<Record<string, unknown>>;

/** Two updates of a code: what carries out the first one carries out the second one too. */
const FILLED = { isActive: true, minOrderAmount: 100 };
const EMPTIED = { isActive: false, minOrderAmount: 0 };

const FALSE_AND_ZERO = "updates a discount code to false and 0, if it updates it to true and 100";
const OF_UPDATES = { critical: ["R067"], probe: true } as const;
checksUnder(UPDATE)("false-and-zero", FALSE_AND_ZERO, OF_UPDATES, async (ctx) => {
  const { before, filled, emptied } = await updatedCode(ctx);
  // Only a field that is listed, and that an update is known to change, can show that another one was ignored.
  const fields = newlyShown(FILLED, before, filled.item);
  if (fields.length === 0)
    throw new Inconclusive("the list shows no isActive or minOrderAmount that an update changes");
  const kept = fields.filter((name) => shows(emptied.item, name, FILLED[name]));
  const all = Object.keys(FILLED).filter((name) => shows(emptied.item, name, Reflect.get(FILLED, name)));
  const actual = `accepted ${JSON.stringify(EMPTIED)} in an update, but lists the code with the ${all.join(" and ")} that it had before`;
  const others = [filled.response, emptied.response];
  expectThat(kept.length === 0, emptied.list, actual, "the values of the last update", others);
});

// An exception of some kinds rolls no transaction back, and then what was set before it was thrown is stored.
const KEEPS = "leaves a discount code as it was when it rejects an update";
const LEAVE_NOTHING = { critical: "practice", probe: true } as const;
checksUnder(UPDATE)("rejections/leave-nothing", KEEPS, LEAVE_NOTHING, async (ctx) => {
  await requireControl(ctx, UPDATE);
  // Another check may change a code that it shares with this one.
  const created = await sendTolerated(ctx, "createDiscountCode", {});
  if (!created.isSuccess) throw new Inconclusive(`a further discount code ${created.fate}`);
  const code = codeOf(created);
  const before = await requireItem(ctx, code);
  const updateTo = await updatesFor(ctx, created);
  const rejected: { readonly response: ApiResponse; readonly values: Values }[] = [];
  const send = async (values: Values, options: SendOptions = {}) => {
    const response = await ctx.sendInvalid(UPDATE, updateTo(values), { ...options, retry: false });
    const isRejected = response.handling === "rejected" || response.status === 500;
    if (isRejected && !response.isThrottled) rejected.push({ response, values });
  };
  for (const values of rejectedUpdates(ctx)) await send(values);
  await send({ minOrderAmount: 399 }, { authorization: null });
  if (rejected.length === 0) throw new NotTested("not-applicable", "every one of these updates was accepted");
  const look = async () => {
    const list = await sendAccepted(ctx, LIST, { query: { code } });
    const item = await itemOf(ctx, list, code);
    const stored = rejected.map(({ response, values }) => ({
      response,
      names: newlyShown(values, before, item),
    }));
    return { list, stored: stored.find(({ names }) => names.length > 0) };
  };
  // A service may take back later what it stored before it found the mistake.
  const { list, stored } = await ctx.run.settling.until(look, (seen) => seen.stored === undefined);
  if (!stored) return;
  const actual = `lists a discount code with the ${stored.names.join(" and ")} of an update to which it ${stored.response.outcome}`;
  expectThat(false, list, actual, "the values that it had before", [stored.response]);
});

/**
 * Updates with a mistake that a service may find only after it has stored some of their values: three with few values,
 * and others with every value, since a service may store some of them together. No two have a value in common.
 */
function rejectedUpdates(ctx: CheckContext): Values[] {
  const { builder } = ctx.run;
  const { startDate, endDate } = builder.optional(CREATE);
  const form = builder.formOf("date", CREATE);
  // A day may be shown as a moment of the next one.
  const valid = (number: number) => ({
    value: 11.25 + number,
    minOrderAmount: 330 + number,
    maxUsePerCustomer: 20 + number,
    startDate: dateIn(100 + 3 * number, form),
    endDate: dateIn(200 + 3 * number, form),
    maxClaims: 80 + number,
  });
  return [
    ...(startDate && endDate ? [{ startDate: endDate, endDate: startDate }] : []),
    { minOrderAmount: 321, productId: UNKNOWN_ID },
    // A percentage has at most 100.
    { maxClaims: 77, value: 1_000 },
    { ...valid(1), isActive: "maybe" },
    { ...valid(2), productId: UNKNOWN_ID },
    { ...valid(3), maxClaims: -1 },
    { ...valid(4), endDate: "banana" },
    { minOrderAmount: "abc", ...without(valid(5), "minOrderAmount") },
  ];
}

function without(values: Values, left: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== left));
}

const OTHERS_KEPT = "leaves the fields of a discount code that an update does not name as they were";
checksUnder(UPDATE)("other-fields-kept", OTHERS_KEPT, OF_UPDATES, async (ctx) => {
  const { before, changed, filled, emptied } = await updatedCode(ctx);
  const named = new Set(["isDelete", ...Object.keys(ctx.draft(UPDATE).query ?? {})]);
  for (const { response, list, item } of [changed, filled, emptied]) {
    for (const name of Object.keys(response.bodySent)) named.add(name);
    const compared = comparedFields(before, item).filter(({ name }) => !named.has(name));
    if (compared.length === 0)
      throw new Inconclusive("the list shows no field of a code that its update does not name");
    // Section 4.11 shows no request: an update may also be the whole new record, which leaves out what it does not name.
    const isReplaced = compared.some(({ earlier, later }) => !isEmpty(earlier) && isEmpty(later));
    if (isReplaced)
      return ctx.observe("N26", "an update of a discount code takes away what it does not name");
    const others = compared.filter((one) =>
      one.name === "isActive" ? isSwitchedOn(one) && isKept(compared) : isOther(one.earlier, one.later),
    );
    const shown = others.map(({ name, earlier, later }) => `${name} ${earlier} as ${later}`);
    const actual = `lists ${shown.join(" and ")} after updates that do not name it`;
    expectThat(others.length === 0, list, actual, "what was listed before", [response]);
  }
});

interface Compared {
  readonly name: string;
  readonly earlier: unknown;
  readonly later: unknown;
}

/** The fields of a code that it showed before an update, as they were and as they are. */
const comparedFields = (before: unknown, after: unknown): Compared[] =>
  Object.keys(contract.createDiscountCode.body.shape).flatMap((name) => {
    const [[earlier, ...more], [later]] = [membersNamed(before, name), membersNamed(after, name)];
    return earlier && more.length === 0 ? [{ name, earlier: earlier.value, later: later?.value }] : [];
  });

/**
 * Whether another optional field shows that it was kept. Otherwise, an inactive code that became active was perhaps taken for
 * a whole new record, which is active unless it says otherwise.
 */
const isKept = (compared: readonly Compared[]) =>
  compared.some(
    ({ name, earlier, later }) =>
      name !== "isActive" &&
      name in contract.createDiscountCode.optional &&
      !isEmpty(earlier) &&
      !isOther(earlier, later),
  );

const isSwitchedOn = ({ earlier, later }: Compared) =>
  agrees(false, earlier) === true && agrees(true, later) === true;

const AT_ONCE =
  "keeps what several updates of a discount code change at the same moment, or right after one another";
checksUnder(UPDATE)("at-once", AT_ONCE, { critical: "practice", probe: true }, async (ctx) => {
  await requireControl(ctx, UPDATE);
  const { query, body } = ctx.draft(UPDATE);
  // What DISCOUNT_UPDATE names is in each of the updates.
  const { minOrderAmount, maxClaims, maxUsePerCustomer } = ctx.run.builder.optional(CREATE);
  const values = Object.entries({ minOrderAmount, maxClaims, maxUsePerCustomer }).filter(
    ([name]) => !(name in { ...query, ...body }),
  );
  const only = (names: readonly string[]) =>
    Object.fromEntries(values.filter(([name]) => names.includes(name)));
  await keepsEveryPart(ctx, {
    id: UPDATE,
    names: values.map(([name]) => name),
    what: "updates of different fields",
    item: "N26",
    make: async () => {
      const created = await sendTolerated(ctx, CREATE);
      if (created.isSuccess) return { created, updateTo: await updatesFor(ctx, created) };
      throw new Inconclusive(`a further discount code ${created.fate}`);
    },
    add: ({ updateTo }, name, options) => ctx.send(UPDATE, updateTo(only([name])), options),
    look: ({ created }, names) => {
      const code = codeOf(created);
      const read = async () => {
        const { list, item } = await readCode(ctx, code);
        return {
          response: list,
          lost: names.filter((name) => shows(item, name, only([name])[name]) !== true),
        };
      };
      return ctx.run.settling.until(read, ({ lost }) => lost.length === 0);
    },
  });
});

const isEmpty = (value: unknown) => [undefined, null, "", 0].includes(value as null);

/** Whether a value is shown in the form that it had, but is another one. */
const isOther = (earlier: unknown, later: unknown) => {
  const [one, other] = [String(earlier), String(later)];
  const form = (text: string) => text.replaceAll(/\d/g, "0");
  if (one === other || Number(one) === Number(other)) return false;
  return form(one) === form(other) || agrees(earlier, later) === false;
};

/** Updates an inactive code of the run three times, and lists it before and after each update; once per run. */
const updatedCode = (ctx: CheckContext) =>
  ctx.run.once("updated discount code", async () => {
    await requireControl(ctx, UPDATE);
    const created = await inactiveCode(ctx);
    const before = await requireItem(ctx, codeOf(created));
    const changed = await update(ctx, created, { value: 8.5 });
    const filled = await update(ctx, created, FILLED);
    return { before, changed, filled, emptied: await update(ctx, created, EMPTIED) };
  });

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
    const send = (values: Values) => sendTolerated(ctx, CREATE, { body: values });
    let response = await send(limited);
    for (const fewer of [dated, body]) if (response.is4xx) response = await send(fewer);
    return response;
  });
  if (!created.isSuccess) throw new Inconclusive(`an inactive discount code with a fraction ${created.fate}`);
  return created;
}

/** Updates a code that the run created, and lists it until it shows the new values, for SETTLE_SECONDS at most. */
async function update(ctx: CheckContext, created: ApiResponse, values: Values) {
  const code = codeOf(created);
  const response = await ctx.send(UPDATE, (await updatesFor(ctx, created))(values));
  expectAnswered(response);
  if (!response.isSuccess) throw new Inconclusive(`an update to ${JSON.stringify(values)} ${response.fate}`);
  return { response, ...(await listUntil(ctx, code, values)) };
}

/** Asks once for a discount code by its name. */
async function readCode(ctx: CheckContext, code: string, options: SendOptions = {}) {
  const list = await sendAccepted(ctx, LIST, { query: { code } }, options);
  return { list, item: await itemOf(ctx, list, code) };
}

/** Lists a discount code until it shows these values, if it shows such at all, for SETTLE_SECONDS at most. */
async function listUntil(ctx: CheckContext, code: string, values: Values, options: SendOptions = {}) {
  return ctx.run.settling.until(
    () => readCode(ctx, code, options),
    ({ item }) =>
      item !== undefined &&
      Object.entries(values).every(([name, value]) => shows(item, name, value) !== false),
  );
}

/** Makes the updates of a code that the run created, as DISCOUNT_UPDATE names one; throws `NotTested` if none can be made. */
const updatesFor = (ctx: CheckContext, created: ApiResponse) =>
  updatesOf(ctx, created, async () => {
    const item = await requireItem(ctx, codeOf(created));
    return { item, items: (await allCodes(ctx)).items };
  });

/** The item of a list that shows a discount code; throws `Inconclusive` if the list does not show it. */
const requireItem = async (ctx: CheckContext, code: string) =>
  itemOf(ctx, await requireListed(ctx, { code }, code), code);

/** The listed item of a code. */
async function itemOf(ctx: CheckContext, list: ApiResponse, code: string) {
  const { items } = await pageOf(ctx, LIST, list);
  return items.find((one) => hasInAnyCase(JSON.stringify(one), code));
}

const codeOf = (created: ApiResponse) => String(created.bodySent.code);

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; throws `Inconclusive` if the API rejects it. */
async function codeOfProduct(ctx: CheckContext) {
  const productId = ctx.need("PRODUCT_ID");
  const created = await withOptionalFields(ctx, "createDiscountCode");
  if (!created.isSuccess)
    throw new Inconclusive("no discount code of a product was created", "createDiscountCode/optional-fields");
  return { created, productId, code: codeOf(created) };
}

/** Lists discount codes until a code of this run is shown, for SETTLE_SECONDS at most. */
async function awaitCode(ctx: CheckContext, query: Query, code: string) {
  const read = async () => {
    const response = await sendAccepted(ctx, LIST, { query });
    const isListed = await ifDecided(isShown(ctx, response, query, code));
    return { response, isListed: isListed ?? hasInAnyCase(response.text, code) };
  };
  const found = await ctx.run.once(`discount code/${JSON.stringify(query)}`, () =>
    ctx.run.settling.until(read, ({ isListed }) => isListed),
  );
  ctx.note(found.response);
  return found;
}

/** As {@link awaitCode}; throws `Inconclusive` if the list never shows the code. */
async function requireListed(ctx: CheckContext, query: Query, code: string): Promise<ApiResponse> {
  const { response, isListed } = await awaitCode(ctx, query, code);
  if (isListed) return response;
  throw new Inconclusive(
    `the list does not show a discount code of this run for its ${Object.keys(query).join(" and ")}`,
    "listDiscountCodes/created-code-is-listed",
  );
}

/** Whether the listed items, without the rest of the body, which may repeat the query, show a code. */
const isAmongItems = async (ctx: CheckContext, response: ApiResponse, code: string) =>
  hasInAnyCase(JSON.stringify((await pageOf(ctx, LIST, response)).items), code);

/** Whether a response shows a code: among its items if its query names the code. */
const isShown = async (ctx: CheckContext, response: ApiResponse, query: Query, code: string) =>
  "code" in query ? isAmongItems(ctx, response, code) : hasInAnyCase(response.text, code);

/** Asks once for discount codes, and whether one is among them; a rejected query lists none. */
async function findCode(ctx: CheckContext, query: Query, code: string, options: SendOptions = {}) {
  const response = await ctx.send(LIST, { query }, options);
  expectAnswered(response);
  return { response, isListed: response.isSuccess && (await isShown(ctx, response, query, code)) };
}

/** Demands that a listed code shows what was sent, in the fields that have the same names. */
async function expectListedAsSent(ctx: CheckContext, { code, ...sent }: Record<string, unknown>) {
  const wanted = String(code);
  const response = await requireListed(ctx, { code: wanted }, wanted);
  const item = await itemOf(ctx, response, wanted);
  // The fields of an item are undocumented (N05), so a missing or reformatted one proves nothing.
  const compared = Object.entries(sent).flatMap(([name, value]) => {
    const isSame = shows(item, name, value);
    const [shown] = membersNamed(item, name);
    const what = `${name} as ${JSON.stringify(shown?.value)} after ${JSON.stringify(value)} was sent`;
    return isSame === undefined ? [] : [{ what, isSame }];
  });
  if (compared.length === 0)
    throw new Inconclusive("a listed code has no field with the name under which it was sent");
  const other = compared.flatMap(({ what, isSame }) => (isSame ? [] : [what]));
  const actual = `lists ${other.join(", and ")}`;
  expectThat(other.length === 0, response, actual, "the values that were sent");
}

/** The names under which items may show what a filter compares. */
const SHOWN = { code: /^(discount_?)?code$/i, productId: /^product_?id$/i } as const;

/** Lists all discount codes, once per run and after its writes. */
async function allCodes(ctx: CheckContext): Promise<Page> {
  const response = await ctx.once("all discount codes", () => ctx.send(LIST));
  if (!response.isSuccess)
    throw new Inconclusive(`${response.outcome}: the list could not be read`, `${LIST}/accepted`);
  return pageOf(ctx, LIST, response);
}

/** The values of a filter's field that listed codes show, the rarest first. */
function shownValues({ items }: Page, filter: keyof typeof SHOWN): string[] {
  const values = items.flatMap((item) =>
    scalars(item).flatMap(([path, value]) => (SHOWN[filter].test(pathInRecord(path)) ? [String(value)] : [])),
  );
  const count = (value: string) => values.filter((other) => other === value).length;
  return [...new Set(values)].toSorted((a, b) => count(a) - count(b));
}

const read = async (ctx: CheckContext, query: Query) => pageOf(ctx, LIST, await ctx.send(LIST, { query }));
