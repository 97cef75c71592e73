import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { bodySent, partSent } from "../../fixtures/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl, sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { settle } from "../../fixtures/lists/counting.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { compareWithSent } from "../discount-codes/as-sent.ts";
import { productCode } from "../discount-codes/product-code.ts";

const LIST = "listDiscountCodes";

check("checkCustomLink/created-page-takes-its-link", "TITLE", { must: ["R077"] }, async (ctx) =>
  judgeTaken(ctx, await acceptedControl(ctx, "createPaymentPage")),
);

check(
  "checkCustomLink/created-page-takes-its-capitals",
  "TITLE",
  { must: ["R077"], probe: true },
  async (ctx) => {
    const customLink = ctx.run.builder.fresh().replace("cst", "Cst");
    const page = await sendTolerated(ctx, "createPaymentPage", { body: { customLink } });
    // Which characters a link may have is not shown.
    if (!page.isSuccess) throw new Inconclusive(`a customLink with capital letters ${handlingOf(page)}`);
    await judgeTaken(ctx, page);
  },
);

check("listDiscountCodes/created-code-is-listed", "TITLE", { should: ["R090"] }, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  const answer = await awaitCode(ctx, { code }, code);
  if (!shows(answer.text, code))
    throw new Violation(answer, "does not show the discount code that was made in this run", "the code");
});

check("listDiscountCodes/other-merchant", "TITLE", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await needListed(ctx, { code }, code);
  await needAccepted();
  // Asked for by name, a code is found where a list is cut short as well.
  for (const query of [{}, { code }]) {
    const answer = await sendWithRetry(ctx, LIST, { query }, { authorization });
    expectAnswered(answer);
    if (!answer.isSuccess) continue;
    if (shows("code" in query ? await codesIn(ctx, answer) : answer.text, code))
      throw new Violation(answer, "shows a discount code of another merchant", "the key's own codes");
  }
});

check("listDiscountCodes/filters-accepted", "TITLE", { must: ["R090", "R091"] }, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await sendAccepted(ctx, LIST, { query: { code } }, { ownData: true });
});

check("listDiscountCodes/product-code-is-listed", "TITLE", { should: ["R090"] }, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await needListed(ctx, { code }, code);
  const all = await awaitCode(ctx, { productId }, code);
  if (shows(all.text, code)) return;
  // The codes of a product may be too many for one answer.
  const answer = await sendAccepted(ctx, LIST, { query: { productId, code } });
  if (!shows(await codesIn(ctx, answer), code))
    throw new Violation(answer, "does not show a discount code of this run by its productId", "the code");
});

check("listDiscountCodes/product-unknown", "TITLE", { should: ["R090"] }, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await needListed(ctx, { productId }, code);
  const answer = await sendWithRetry(ctx, LIST, { query: { productId: UNKNOWN_ID } });
  expectAnswered(answer);
  if (answer.isSuccess && shows(answer.text, code))
    throw new Violation(
      answer,
      `shows the discount code of another product to productId=${UNKNOWN_ID}`,
      "no code of another product: the filter is ignored",
    );
});

check("listDiscountCodes/filters-combined", "TITLE", { should: ["R090"] }, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await needListed(ctx, { productId, code }, code);
  for (const { query, other } of [
    { query: { productId: UNKNOWN_ID, code }, other: "productId" },
    { query: { productId, code: ctx.run.builder.fresh() }, other: "code" },
  ]) {
    const answer = await sendWithRetry(ctx, LIST, { query });
    expectAnswered(answer);
    if (answer.isSuccess && shows(await codesIn(ctx, answer), code))
      throw new Violation(
        answer,
        `shows a discount code of another ${other} where productId and code are given`,
        "only what fits both",
      );
  }
});

check("listDiscountCodes/fields-as-sent", "TITLE", { should: ["R090"] }, async (ctx) => {
  const made =
    ctx.values.PRODUCT_ID === undefined
      ? await acceptedControl(ctx, "createDiscountCode")
      : (await codeOfProduct(ctx)).made;
  // Whether a code is active may follow from its dates.
  const { isActive: _, ...sent } = bodySent(made);
  await judgeAsSent(ctx, sent);
});

check("listDiscountCodes/inactive-code-as-sent", "TITLE", { should: ["R090"], probe: true }, async (ctx) => {
  const made = await sendTolerated(ctx, "createDiscountCode", { body: { isActive: false, value: 7.5 } });
  if (!made.isSuccess)
    throw new Inconclusive(`an inactive discount code with a fraction ${handlingOf(made)}`);
  await judgeAsSent(ctx, bodySent(made));
});

check(
  "listPageProducts/added-products-join-the-others",
  "TITLE",
  { should: ["R064", "R078"] },
  async (ctx) => {
    const before = await acceptedControl(ctx, "listPageProducts");
    const added = await acceptedControl(ctx, "addPageProducts");
    if (before.startedAt > added.startedAt)
      throw new Inconclusive("the products were listed too late to compare");
    const { pointer } = await locate(ctx, "listPageProducts");
    const identity = await identityOf(ctx, "listPageProducts");
    const others = itemsAt(before.json, pointer);
    const answer = await sendAccepted(ctx, "listPageProducts", { query: { pageId: ctx.need("PAGE_ID") } });
    const lost = others.length - countCommon(itemsAt(answer.json, pointer), others, identity);
    if (lost > 0)
      throw new Violation(
        answer,
        `lacks ${lost} of the ${others.length} products that the page had before others were added`,
        "those before and those that were added",
      );
  },
);

check("listPageProducts/added-product-is-listed", "TITLE", { should: ["R064", "R078"] }, async (ctx) => {
  const pageId = ctx.need("PAGE_ID");
  const products = ctx
    .need("PRODUCT_IDS")
    .split(",")
    .map((id) => id.trim());
  await acceptedControl(ctx, "addPageProducts");
  const ask = () => sendAccepted(ctx, "listPageProducts", { query: { pageId } });
  const missing = (text: string) => products.filter((id) => !text.includes(id));
  let answer = await ask();
  if (missing(answer.text).length > 0) {
    await settle(ctx);
    answer = await ask();
  }
  if (missing(answer.text).length > 0)
    throw new Violation(
      answer,
      `does not show product ${missing(answer.text).join(", ")}, which was added in this run`,
      "the products of PRODUCT_IDS",
    );
});

/** Demands that the link of a page that this run has made is taken: new pages may take the settle time, twice at most. */
async function judgeTaken(ctx: CheckContext, page: Answer) {
  const customLink = partSent(page, "customLink") ?? "";
  const ask = () => sendWithRetry(ctx, "checkCustomLink", { body: { customLink } });
  let answer = await ask();
  for (let attempt = 0; answer.isSuccess && attempt < 2; attempt += 1) {
    await settle(ctx);
    answer = await ask();
  }
  if (answer.isThrottled || answer.failure) throw new Inconclusive(outcomeOf(answer));
  if (answer.status === 400) return;
  if (answer.isSuccess && !ctx.target.settleIsPromised) {
    throw new Inconclusive(
      "the link of a page made in this run is still free: set SETTLE_SECONDS to the time after which it must be taken",
    );
  }
  // A deployment that says so may have given the page another link than it was asked for.
  if (answer.isSuccess && shows(page.text, customLink) && !page.text.includes(customLink)) {
    ctx.warn("a page gets its link in other letter case than was sent, and the one that was sent is free");
    return;
  }
  throw new Violation(answer, `${outcomeOf(answer)} to the link of a page that was made in this run`, "400");
}

const codeOf = (made: Answer) => String(bodySent(made).code);

/** The discount code of PRODUCT_ID that this run has made. */
async function codeOfProduct(ctx: CheckContext) {
  const made = await productCode(ctx);
  ctx.note(made);
  if (!made.isSuccess)
    throw new Inconclusive("no discount code of a product was made", "createDiscountCode/optional-fields");
  return { made, productId: ctx.need("PRODUCT_ID"), code: codeOf(made) };
}

/** Lists discount codes until one of this run is shown: new ones may take the settle time, twice at most. */
async function awaitCode(ctx: CheckContext, query: Query, code: string): Promise<Answer> {
  let answer = await sendAccepted(ctx, LIST, { query });
  for (let attempt = 0; !shows(answer.text, code) && attempt < 2; attempt += 1) {
    await settle(ctx);
    answer = await sendAccepted(ctx, LIST, { query });
  }
  return answer;
}

/** As {@link awaitCode}; throws `Inconclusive` where the code is not shown, so that its absence elsewhere says nothing. */
async function needListed(ctx: CheckContext, query: Query, code: string): Promise<Answer> {
  const answer = await awaitCode(ctx, query, code);
  if (!shows(answer.text, code))
    throw new Inconclusive(
      `a discount code of this run is not listed by its ${Object.keys(query).join(" and ")}`,
      "listDiscountCodes/created-code-is-listed",
    );
  return answer;
}

/** Demands that what a listed code shows by the names of sent fields is what was sent. */
async function judgeAsSent(ctx: CheckContext, { code: named, ...sent }: Readonly<Record<string, unknown>>) {
  const code = String(named);
  const answer = await needListed(ctx, { code }, code);
  const item = (await itemsIn(ctx, answer)).find((one) => shows(JSON.stringify(one), code));
  const { known, other } = compareWithSent(sent, item);
  if (known.length === 0) throw new Inconclusive("a listed code shows no field by the name it is sent by");
  if (other.length > 0)
    throw new Violation(answer, `shows another ${other.join(", ")} of a code than was sent`, "what was sent");
}

async function itemsIn(ctx: CheckContext, answer: Answer) {
  return itemsAt(answer.json, (await locate(ctx, LIST)).pointer);
}

/** The text of the codes alone: what was asked for may be repeated beside them. */
const codesIn = async (ctx: CheckContext, answer: Answer) => JSON.stringify(await itemsIn(ctx, answer));

/** Codes may be kept in another letter case (not shown). */
const shows = (text: string, code: string) => text.toLowerCase().includes(code.toLowerCase());
