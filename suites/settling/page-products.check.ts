import { Inconclusive } from "../../fixtures/http/findings.ts";
import { acceptedControl, sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { check } from "../../fixtures/run/check.ts";
import { readUntil } from "./shown.ts";

const LIST = "listPageProducts";
const should = { should: ["R064", "R078"] } as const;

check(
  "listPageProducts/added-products-join-the-others",
  "keeps the earlier products of a page when others are added",
  should,
  async (ctx) => {
    const before = await acceptedControl(ctx, LIST);
    const added = await acceptedControl(ctx, "addPageProducts");
    if (before.startedAt > added.startedAt)
      throw new Inconclusive(
        "the products were added before they were first listed: nothing to compare with",
      );
    const { pointer } = await locate(ctx, LIST);
    const identity = await identityOf(ctx, LIST);
    const others = itemsAt(before.json, pointer);
    const answer = await sendAccepted(ctx, LIST, { query: { pageId: ctx.need("PAGE_ID") } });
    const lost = others.length - countCommon(itemsAt(answer.json, pointer), others, identity);
    const actual = `no longer lists ${lost} of the ${others.length} products that the page had before others were added`;
    expectThat(lost <= 0, answer, actual, "the earlier products and the added ones");
  },
);

check("listPageProducts/added-product-is-listed", "lists products added to a page", should, async (ctx) => {
  const query = { pageId: ctx.need("PAGE_ID") };
  const products = ctx.need("PRODUCT_IDS").split(",");
  await acceptedControl(ctx, "addPageProducts");
  const missing = (text: string) => products.map((id) => id.trim()).filter((id) => !text.includes(id));
  const read = () => sendAccepted(ctx, LIST, { query });
  const answer = await readUntil(ctx, read, ({ text }) => missing(text).length === 0);
  const lost = missing(answer.text);
  const actual = `does not list the products ${lost.join(", ")}, which this run added`;
  expectThat(lost.length === 0, answer, actual, "the products of PRODUCT_IDS");
});
