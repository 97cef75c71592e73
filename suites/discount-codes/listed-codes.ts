import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import { bodySent, textSent } from "../../fixtures/engine/http/sent.ts";
import { outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { sendAccepted } from "../../fixtures/engine/judge/expect-accepted.ts";
import { expectAnswered, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { withOptionalFields } from "../../fixtures/engine/judge/optional-fields.ts";
import { sameItems } from "../../fixtures/engine/lists/identity.ts";
import { pathInRecord, scalars } from "../../fixtures/engine/lists/json-pointer.ts";
import type { Query } from "../../fixtures/engine/lists/list.ts";
import { locate, type Page, pageOf } from "../../fixtures/engine/lists/list.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { plural } from "../../reports/wording.ts";
import {
  agreesAsBoolean,
  agreesAsNumber,
  hasInAnyCase,
  membersNamed,
} from "../every-operation/values/shown-values.ts";

const LIST = "listDiscountCodes";

export const codeOf = (created: Answer) => String(bodySent(created).code);

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; throws `Inconclusive` if the API rejects it. */
export async function codeOfProduct(ctx: CheckContext) {
  const productId = ctx.need("PRODUCT_ID");
  const created = await withOptionalFields(ctx, "createDiscountCode");
  if (!created.isSuccess)
    throw new Inconclusive("no discount code of a product was created", "createDiscountCode/optional-fields");
  return { created, productId, code: codeOf(created) };
}

/** Lists discount codes until a code of this run is shown, for SETTLE_SECONDS at most. */
export async function awaitCode(ctx: CheckContext, query: Query, code: string) {
  const read = () => sendAccepted(ctx, LIST, { query });
  const key = `discount code/${JSON.stringify(query)}`;
  const answer = await ctx.once(key, () =>
    ctx.run.settling.until(read, ({ text }) => hasInAnyCase(text, code)),
  );
  return { answer, isListed: hasInAnyCase(answer.text, code) };
}

/** As {@link awaitCode}; throws `Inconclusive` if the list never shows the code. */
export async function requireListed(ctx: CheckContext, query: Query, code: string): Promise<Answer> {
  const { answer, isListed } = await awaitCode(ctx, query, code);
  if (isListed) return answer;
  throw new Inconclusive(
    `the list does not show a discount code of this run for its ${Object.keys(query).join(" and ")}`,
    "listDiscountCodes/created-code-is-listed",
  );
}

/** Whether the listed items, without the rest of the body, which may repeat the query, show a code. */
export const isAmongItems = async (ctx: CheckContext, answer: Answer, code: string) =>
  hasInAnyCase(JSON.stringify((await pageOf(ctx, LIST, answer)).items), code);

/** Asks once for discount codes, and whether one is among them; a rejected query lists none. */
export async function findCode(ctx: CheckContext, query: Query, code: string, options: SendOptions = {}) {
  const answer = await ctx.send(LIST, { query }, options);
  expectAnswered(answer);
  if (!answer.isSuccess) return { answer, isListed: false };
  const isListed = "code" in query ? await isAmongItems(ctx, answer, code) : hasInAnyCase(answer.text, code);
  return { answer, isListed };
}

/** Demands that a listed code shows what was sent, in the fields that have the same names. */
export async function expectListedAsSent(ctx: CheckContext, { code, ...sent }: Record<string, unknown>) {
  const wanted = String(code);
  const answer = await requireListed(ctx, { code: wanted }, wanted);
  const { items } = await pageOf(ctx, LIST, answer);
  const item = items.find((one) => hasInAnyCase(JSON.stringify(one), wanted));
  const { known, other } = compareWithSent(sent, item);
  if (known.length === 0)
    throw new Inconclusive("a listed code has no field with the name under which it was sent");
  const actual = `lists a discount code with another ${other.join(", ")} than was sent`;
  expectThat(other.length === 0, answer, actual, "the values that were sent");
}

/** The names under which items may show what a filter compares. */
const SHOWN = { code: /^(discount_?)?code$/i, productId: /^product_?id$/i } as const;

type Filter = keyof typeof SHOWN;

/** Lists all discount codes, once per run and after its writes. */
export async function allCodes(ctx: CheckContext): Promise<Page> {
  const answer = await ctx.once("all discount codes", () => ctx.send(LIST));
  if (!answer.isSuccess)
    throw new Inconclusive(`${outcomeOf(answer)}: the list could not be read`, `${LIST}/accepted`);
  return pageOf(ctx, LIST, answer);
}

/** The values of a filter's field that listed codes show, the rarest first. */
function shownValues({ items }: Page, filter: Filter): string[] {
  const values = items.flatMap((item) =>
    scalars(item).flatMap(([path, value]) => (SHOWN[filter].test(pathInRecord(path)) ? [String(value)] : [])),
  );
  const count = (value: string) => values.filter((other) => other === value).length;
  return [...new Set(values)].toSorted((a, b) => count(a) - count(b));
}

/** Demands that a filter does not list the same for a value that listed codes show as for one that does not exist. */
export async function expectFilterApplied(ctx: CheckContext, filter: Filter, unknown: string) {
  const all = await allCodes(ctx);
  const { identity = JSON.stringify } = await locate(ctx, LIST);
  const [value] = shownValues(all, filter);
  if (all.items.length < 2 || value === undefined)
    throw new Inconclusive(
      `the list has ${plural(all.items.length, "discount code")}, of which ${value === undefined ? "none" : "some"} shows its ${filter}, but this check needs 2 that show it`,
      { advice: "add discount codes" },
    );
  const known = await read(ctx, { [filter]: value });
  const none = await read(ctx, { [filter]: unknown });
  const isIgnored = none.items.length > 1 && sameItems(known.items, none.items, identity);
  const actual = `lists the same ${plural(none.items.length, "discount code")} for a ${filter} that exists and for one that does not`;
  expectThat(!isIgnored, none.answer, actual, `only the codes with the ${filter} that is asked for`);
}

const read = async (ctx: CheckContext, query: Query) => pageOf(ctx, LIST, await ctx.send(LIST, { query }));

/** Whether the filter code finds an older code, so that codes of this run must be found by it as well. */
export async function findsOlderCode(ctx: CheckContext, own: readonly Answer[]): Promise<boolean> {
  const all = await allCodes(ctx);
  const sent = own.map(textSent).join();
  const older = shownValues(all, "code").find((code) => !sent.includes(code));
  if (older === undefined) return false;
  const { items } = await read(ctx, { code: older });
  return items.length > 0 && items.length < all.items.length;
}

/**
 * Compares a listed record with what was sent: `known` names the fields that can be compared, and `other` those of them
 * whose values differ. The fields of an item are undocumented (N05), so a missing or reformatted one proves nothing.
 */
export function compareWithSent(
  sent: Readonly<Record<string, unknown>>,
  item: unknown,
): { readonly known: readonly string[]; readonly other: readonly string[] } {
  const shown = Object.entries(sent).flatMap(([name, value]) => {
    const [found, second] = membersNamed(item, name);
    return found && !second ? [{ name, agrees: agreement(value, found.value) }] : [];
  });
  const names = (those: typeof shown) => those.map(({ name }) => name);
  return {
    known: names(shown.filter(({ agrees }) => agrees !== undefined)),
    other: names(shown.filter(({ agrees }) => agrees === false)),
  };
}

/** Whether both are the same value; `undefined` if they cannot be compared. */
function agreement(sent: unknown, shown: unknown): boolean | undefined {
  if (typeof sent === "boolean") return agreesAsBoolean(sent, shown);
  if (typeof sent === "number") return agreesAsNumber(sent, shown);
  const text = String(shown).trim().toLowerCase();
  const wanted = String(sent).toLowerCase();
  if (/^[a-z]{3}/.test(wanted)) return /^[a-z]{3}/.test(text) ? agreesInLetters(wanted, text) : undefined;
  return DATE.test(wanted) && DATE.test(text) ? text === wanted : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The list may shorten or lengthen a word: percent, percentage. */
const agreesInLetters = (wanted: string, text: string) => wanted.slice(0, 3) === text.slice(0, 3);
