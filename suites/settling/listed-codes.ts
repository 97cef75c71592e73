import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { pageOf } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { compareWithSent } from "../discount-codes/as-sent.ts";
import { productCode } from "../discount-codes/product-code.ts";
import { hasInAnyCase } from "./any-case.ts";
import { readUntil } from "./read-until.ts";

const LIST = "listDiscountCodes";

/** Reads the code from the request that created it. */
export const codeOf = (created: Answer) => String(bodySent(created).code);

/** Creates a discount code of PRODUCT_ID, once per run; throws `Inconclusive` if the API rejects it. */
export async function codeOfProduct(ctx: CheckContext) {
  const created = await productCode(ctx);
  if (!created.isSuccess)
    throw new Inconclusive("no discount code of a product was created", "createDiscountCode/optional-fields");
  return { created, productId: ctx.need("PRODUCT_ID"), code: codeOf(created) };
}

/** Lists discount codes until a code of this run is shown, for twice the settle time at most. */
export const awaitCode = (ctx: CheckContext, query: Query, code: string): Promise<Answer> =>
  readUntil(
    ctx,
    2,
    () => sendAccepted(ctx, LIST, { query }),
    ({ text }) => hasInAnyCase(text, code),
  );

/** As {@link awaitCode}; throws `Inconclusive` if the list never shows the code. */
export async function requireListed(ctx: CheckContext, query: Query, code: string): Promise<Answer> {
  const answer = await awaitCode(ctx, query, code);
  if (!hasInAnyCase(answer.text, code))
    throw new Inconclusive(
      `the list does not show a discount code of this run for its ${Object.keys(query).join(" and ")}`,
      "listDiscountCodes/created-code-is-listed",
    );
  return answer;
}

/** Writes the listed codes as text, without the rest of the body, which may repeat the query. */
export const codesIn = async (ctx: CheckContext, answer: Answer) =>
  JSON.stringify((await pageOf(ctx, LIST, answer)).items);

/** Demands that a listed code shows what was sent, in the fields that have the same names. */
export async function expectListedAsSent(
  ctx: CheckContext,
  { code: sentCode, ...sent }: Readonly<Record<string, unknown>>,
) {
  const code = String(sentCode);
  const answer = await requireListed(ctx, { code }, code);
  const { items } = await pageOf(ctx, LIST, answer);
  const item = items.find((one) => hasInAnyCase(JSON.stringify(one), code));
  const { known, other } = compareWithSent(sent, item);
  if (known.length === 0)
    throw new Inconclusive("a listed code has no field with the name under which it was sent");
  expectThat(
    other.length === 0,
    answer,
    `lists a discount code with another ${other.join(", ")} than was sent`,
    "the values that were sent",
  );
}
