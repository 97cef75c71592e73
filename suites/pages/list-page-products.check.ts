import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { observes } from "../../fixtures/judge/check-families.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered, expectNoCrash, expectRejectionAsDocumented } from "../../fixtures/judge/matchers.ts";
import { candidates, itemsAt, pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readPage } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf, requireControl } from "../../fixtures/run/control.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendInvalidWithRetry, sendWithRetry } from "../../fixtures/run/sending.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "listPageProducts";

check("listPageProducts/searchProduct", "TITLE", { must: ["R078", "R079"] }, async (ctx) => {
  const control = await controlOf(ctx, ID);
  const known = control.answer && nameIn(control.answer.json);
  // To find nothing may be answered in any way (G14), so that only a text that is there shows a refusal.
  const afterAccepted = control.accepted && known !== undefined;
  await sendAccepted(ctx, ID, { query: { searchProduct: known ?? FRESH } }, { afterAccepted });
});

check("listPageProducts/page-unknown/shape", "TITLE", { must: ["R079", "R107"] }, async (ctx) => {
  const answer = await ofUnknownPage(ctx);
  expectAnswered(answer);
  if (answer.status === 400) expectRejectionAsDocumented(answer);
});

check("listPageProducts/page-unknown/status", "TITLE", { should: "G14" }, async (ctx) => {
  const answer = await ofUnknownPage(ctx);
  expectNoCrash(answer, "the page is unknown");
  ctx.observe("G14", `the products of an unknown page: the request ${handlingOf(answer)}`);
});

check("listPageProducts/searchProduct-random", "TITLE", { should: ["R078"] }, async (ctx) => {
  await locate(ctx, ID);
  const { answer, items } = await readPage(ctx, ID, { searchProduct: ctx.run.builder.fresh() });
  if (items.length > 0)
    throw new Violation(answer, `answered ${items.length} products to a search that fits none`, "none");
});

check("listPageProducts/searchProduct-finds", "TITLE", { should: ["R078"] }, async (ctx) => {
  const own = await requireControl(ctx, ID);
  const searchProduct = ownNameIn(itemsAt(own.json, (await locate(ctx, ID)).pointer));
  if (searchProduct === undefined)
    throw new Inconclusive("the page shows no product with a name to search by");
  const { answer, items } = await readPage(ctx, ID, { searchProduct });
  if (items.length === 0)
    throw new Violation(answer, "finds no product by a name that the page shows", "the product of that name");
});

check("listPageProducts/other-merchant", "TITLE", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const own = await requireControl(ctx, ID);
  const { pointer } = await locate(ctx, ID);
  await needAccepted();
  const answer = await sendWithRetry(ctx, ID, {}, { authorization });
  expectAnswered(answer);
  const shown = JSON.stringify(itemsAt(answer.json, pointer));
  if (answer.isSuccess && shown !== "[]" && shown === JSON.stringify(itemsAt(own.json, pointer)))
    throw new Violation(answer, "shows the products of another merchant's page", "no products");
});

observes("listPageProducts/searchProduct-empty", "N40", "an empty searchProduct", {
  query: { searchProduct: "" },
});

/** Asks for the products of a page that cannot exist, once per run. */
async function ofUnknownPage(ctx: CheckContext) {
  const answer = await ctx.run.once("listPageProducts/page-unknown", () =>
    sendInvalidWithRetry(ctx, ID, { query: { pageId: UNKNOWN_ID } }),
  );
  ctx.note(answer);
  return answer;
}

/** The name of the first record of a list that has one, wherever the list stands; a search is for names. */
const nameIn = (body: unknown) =>
  textAt(
    candidates(body).flatMap(({ items }) => items),
    /(name|title)$/i,
  );

/** The name of a product itself: its category may have one as well. */
const ownNameIn = (products: readonly unknown[]) =>
  textAt(products, /^(product\.)?(product_?)?(name|title)$/i);

/** The first text with letters that stands at such a path. */
const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));
