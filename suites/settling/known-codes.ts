import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { textSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { sameItems } from "../../fixtures/lists/identity.ts";
import { pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { type Page, pageOf } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";

const LIST = "listDiscountCodes";

/** The names under which items may show what a filter compares. */
const SHOWN = { code: /^(discount_?)?code$/i, productId: /^product_?id$/i } as const;

type Filter = keyof typeof SHOWN;

/** Lists all discount codes, once per run and after its writes. */
export async function allCodes(ctx: CheckContext): Promise<Page> {
  const answer = await ctx.once("all discount codes", () => sendWithRetry(ctx, LIST));
  if (!answer.isSuccess)
    throw new Inconclusive(`${outcomeOf(answer)}: the list could not be read`, `${LIST}/accepted`);
  return pageOf(ctx, LIST, answer);
}

/** The values of a filter's field that listed codes show, the rarest first. */
export function shownValues({ items }: Page, filter: Filter): string[] {
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

const read = async (ctx: CheckContext, query: Query) =>
  pageOf(ctx, LIST, await sendWithRetry(ctx, LIST, { query }));

/** Whether the filter code finds an older code, so that codes of this run must be found by it as well. */
export async function findsOlderCode(ctx: CheckContext, own: readonly Answer[]): Promise<boolean> {
  const all = await allCodes(ctx);
  const sent = own.map(textSent).join();
  const older = shownValues(all, "code").find((code) => !sent.includes(code));
  if (older === undefined) return false;
  const { items } = await read(ctx, { code: older });
  return items.length > 0 && items.length < all.items.length;
}
