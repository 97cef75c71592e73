import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  type SendOptions,
  skip,
  undecided,
  writeDate,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { keepsEveryPart } from "../every-operation/repeats/race.ts";
import { agrees, membersNamed, newlyShown, shows } from "../every-operation/values/shown-values.ts";
import {
  codeOf,
  EMPTIED,
  FILLED,
  listUntil,
  namesakes,
  readCode,
  requireItem,
  update,
  updatedCode,
  updatesFor,
  type Values,
} from "./codes.ts";
import { needOwnCode } from "./named-code.ts";

const ID = "updateDiscountCode";

rejectsOtherMerchant(ID, {
  what: "the discount code is another merchant's",
  requirement: "R068",
  send: async (ctx) => {
    await ctx.ordinary(ID);
    await needOwnCode(ctx);
    return ctx.other.send(ID, {}, { retry: false });
  },
});

const CREATE = "createDiscountCode";
const check = checksUnder(ID, "after-writes");
const OF_TWO = { critical: "G18", probe: true, scope: "second-merchant" } as const;

const UNCHANGED = "does not change the discount code of the same name of another merchant in an update";
check("other-merchant-same-code", UNCHANGED, OF_TWO, async (ctx) => {
  await ctx.ordinary(ID);
  const { own, theirs } = await namesakes(ctx);
  if (theirs.kind !== "done") skip(`a discount code of the name of another merchant's ${theirs.fate}`);
  const { value } = theirs.bodySent;
  const read = () => listUntil(ctx, codeOf(theirs), { value }, { authorization: ctx.other.authorization });
  const before = await read();
  if (shows(before.item, "value", value) !== true)
    undecided("the other merchant's list does not show the value of its discount code");
  const { response } = await update(ctx, own, { value: Number(value) + 1 });
  const { list, item } = await read();
  const isKept = shows(item, "value", value) === true;
  const actual = "changed the discount code of another merchant that has the same name";
  demand(isKept, list, actual, "an update of the key's own code only", [before.list, response]);
});

const FALSE_AND_ZERO = "updates a discount code to false and 0, if it updates it to true and 100";
const OF_UPDATES = { critical: ["R067"], probe: true } as const;
check("false-and-zero", FALSE_AND_ZERO, OF_UPDATES, async (ctx) => {
  const { before, filled, emptied } = await updatedCode(ctx);
  // Only a field that is listed, and that an update is known to change, can show that another one was ignored.
  const fields = newlyShown(FILLED, before, filled.item);
  if (fields.length === 0) undecided("the list shows no isActive or minOrderAmount that an update changes");
  const kept = fields.filter((name) => shows(emptied.item, name, FILLED[name]));
  const all = Object.keys(FILLED).filter((name) => shows(emptied.item, name, Reflect.get(FILLED, name)));
  const actual = `accepted ${JSON.stringify(EMPTIED)} in an update, but lists the code with the ${all.join(" and ")} that it had before`;
  const others = [filled.response, emptied.response];
  demand(kept.length === 0, emptied.list, actual, "the values of the last update", others);
});

// An exception of some kinds rolls no transaction back, and then what was set before it was thrown is stored.
const KEEPS = "leaves a discount code as it was when it rejects an update";
const LEAVE_NOTHING = { critical: "practice", probe: true } as const;
check("rejections/leave-nothing", KEEPS, LEAVE_NOTHING, async (ctx) => {
  await ctx.ordinary(ID);
  // Another check may change a code that it shares with this one.
  const created = await ctx.sendTolerated("createDiscountCode", {});
  if (created.kind !== "done") undecided(`a further discount code ${created.fate}`);
  const code = codeOf(created);
  const before = await requireItem(ctx, code);
  const updateTo = await updatesFor(ctx, created);
  const rejected: { readonly response: ApiResponse; readonly values: Values }[] = [];
  const send = async (values: Values, options: SendOptions = {}) => {
    const response = await ctx.sendInvalid(ID, updateTo(values), {
      ...options,
      retry: false,
      mayBeBusy: true,
    });
    const isRejected = response.kind === "rejected" || response.status === 500;
    if (isRejected) rejected.push({ response, values });
  };
  for (const values of rejectedUpdates(ctx)) await send(values);
  await send({ minOrderAmount: 399 }, { authorization: null });
  if (rejected.length === 0) skip("every one of these updates was accepted");
  const look = async () => {
    const { list, item } = await readCode(ctx, code);
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
  demand(false, list, actual, "the values that it had before", [stored.response]);
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
    startDate: writeDate(100 + 3 * number, form),
    endDate: writeDate(200 + 3 * number, form),
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
check("other-fields-kept", OTHERS_KEPT, OF_UPDATES, async (ctx) => {
  const { before, changed, filled, again, emptied } = await updatedCode(ctx);
  let earlier = before;
  for (const { response, list, item } of [changed, filled, again, emptied]) {
    const named = ["isDelete", ...Object.keys(ctx.draft(ID).query ?? {}), ...Object.keys(response.bodySent)];
    const compared = comparedFields(earlier, item).filter(({ name }) => !named.includes(name));
    earlier = item;
    if (compared.length === 0) undecided("the list shows no field of a code that its update does not name");
    // Section 4.11 shows no request: an update may also be the whole new record, which leaves out what it does not name.
    const isReplaced = compared.some(({ earlier, later }) => !isEmpty(earlier) && isEmpty(later));
    if (isReplaced)
      return ctx.observe("N26", "an update of a discount code takes away what it does not name");
    const others = compared.filter((one) =>
      one.name === "isActive" ? isSwitched(one) && isKept(compared) : isOther(one.earlier, one.later),
    );
    const shown = others.map(({ name, earlier, later }) => `${name} ${earlier} as ${later}`);
    const actual = `lists ${shown.join(" and ")} after updates that do not name it`;
    demand(others.length === 0, list, actual, "what was listed before", [response]);
  }
});

interface Compared {
  readonly name: string;
  readonly earlier: unknown;
  readonly later: unknown;
}

const comparedFields = (before: unknown, after: unknown): Compared[] =>
  Object.keys(contract.createDiscountCode.body.shape).flatMap((name) => {
    const [[earlier, ...more], [later]] = [membersNamed(before, name), membersNamed(after, name)];
    return earlier && more.length === 0 ? [{ name, earlier: earlier.value, later: later?.value }] : [];
  });

/**
 * Whether another optional field shows that it was kept. Otherwise, the update was perhaps taken for a whole new record,
 * which is active or inactive unless it says otherwise.
 */
const isKept = (compared: readonly Compared[]) =>
  compared.some(
    ({ name, earlier, later }) =>
      name !== "isActive" &&
      name in contract.createDiscountCode.optional &&
      !isEmpty(earlier) &&
      !isOther(earlier, later),
  );

const isSwitched = ({ earlier, later }: Compared) =>
  agrees(false, earlier) !== undefined && agrees(false, later) === !agrees(false, earlier);

const AT_ONCE =
  "keeps what several updates of a discount code change at the same moment, or right after one another";
check("at-once", AT_ONCE, { should: "practice", probe: true }, async (ctx) => {
  await ctx.ordinary(ID);
  const { query, body } = ctx.draft(ID);
  // What DISCOUNT_UPDATE names is in each of the updates.
  const { minOrderAmount, maxClaims, maxUsePerCustomer } = ctx.run.builder.optional(CREATE);
  const values = Object.entries({ minOrderAmount, maxClaims, maxUsePerCustomer }).filter(
    ([name]) => !(name in { ...query, ...body }),
  );
  const only = (names: readonly string[]) =>
    Object.fromEntries(values.filter(([name]) => names.includes(name)));
  await keepsEveryPart(ctx, {
    id: ID,
    names: values.map(([name]) => name),
    what: "updates of different fields",
    make: async () => {
      const created = await ctx.sendTolerated(CREATE);
      if (created.kind === "done") return { created, updateTo: await updatesFor(ctx, created) };
      undecided(`a further discount code ${created.fate}`);
    },
    add: ({ updateTo }, name, options) => ctx.send(ID, updateTo(only([name])), options),
    read: async ({ created }, names) => {
      const { list, item } = await readCode(ctx, codeOf(created));
      const lost = names.filter((name) => shows(item, name, only([name])[name]) !== true);
      return { response: list, lost };
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
