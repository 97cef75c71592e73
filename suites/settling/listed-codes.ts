import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { pageOf } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { compareWithSent } from "../discount-codes/as-sent.ts";
import { productCode } from "../discount-codes/product-code.ts";
import { hasInAnyCase } from "./shown.ts";

const LIST = "listDiscountCodes";

export const codeOf = (created: Answer) => String(bodySent(created).code);

/** Creates a discount code of PRODUCT_ID, once per run; throws `Inconclusive` if the API rejects it. */
export async function codeOfProduct(ctx: CheckContext) {
  const created = await productCode(ctx);
  if (!created.isSuccess)
    throw new Inconclusive("no discount code of a product was created", "createDiscountCode/optional-fields");
  return { created, productId: ctx.need("PRODUCT_ID"), code: codeOf(created) };
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
  const answer = await sendWithRetry(ctx, LIST, { query }, options);
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
