import { Inconclusive } from "../../fixtures/http/findings.ts";
import { acceptedControl, sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { check } from "../../fixtures/run/check.ts";
import { readUntil } from "./read-until.ts";

const LIST = "listPageProducts";

check(
  "listPageProducts/added-products-join-the-others",
  "keeps the earlier products of a page when others are added",
  { should: ["R064", "R078"] },
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
    expectThat(
      lost <= 0,
      answer,
      `no longer lists ${lost} of the ${others.length} products that the page had before others were added`,
      "the earlier products and the added ones",
    );
  },
);

check(
  "listPageProducts/added-product-is-listed",
  "lists the products that were added to a page",
  { should: ["R064", "R078"] },
  async (ctx) => {
    const pageId = ctx.need("PAGE_ID");
    const products = ctx
      .need("PRODUCT_IDS")
      .split(",")
      .map((id) => id.trim());
    await acceptedControl(ctx, "addPageProducts");
    const missing = (text: string) => products.filter((id) => !text.includes(id));
    const answer = await readUntil(
      ctx,
      1,
      () => sendAccepted(ctx, LIST, { query: { pageId } }),
      ({ text }) => missing(text).length === 0,
    );
    const lost = missing(answer.text);
    expectThat(
      lost.length === 0,
      answer,
      `does not list the products ${lost.join(", ")}, which this run added`,
      "the products of PRODUCT_IDS",
    );
  },
);
