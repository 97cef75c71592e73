import {
  type CheckContext,
  check,
  demandDone,
  observes,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "listDiscountCodes";
const { noun } = contract[ID];

check("listDiscountCodes/productId", `accepts ${noun} with productId`, { must: ["R090", "R091"] }, (ctx) =>
  acceptsFilter(ctx, { productId: ctx.need("PRODUCT_ID") }),
);

check("listDiscountCodes/code-random", `accepts ${noun} for a random code`, { should: ["R090"] }, (ctx) =>
  acceptsFilter(ctx, { code: FRESH }),
);

observes("listDiscountCodes/productId-unknown", "G14", `${noun} for an unknown productId`, {
  query: { productId: UNKNOWN_ID },
});
observes("listDiscountCodes/productId-letters", "G14", `${noun} for a productId of letters`, {
  query: { productId: "abc" },
});
observes("listDiscountCodes/limit-and-page", "G08", `${noun} with the undocumented limit and page`, {
  query: { limit: 5, page: 1 },
});

async function acceptsFilter(ctx: CheckContext, query: Readonly<Record<string, unknown>>) {
  const { accepted } = await ctx.control(ID);
  const response = await ctx.send(ID, { query });
  // Whether a filter that finds nothing returns 404 is open (G14).
  if (accepted && response.status === 404 && "productId" in query)
    undecided("returned 404", { advice: "set PRODUCT_ID to a product that has discount codes" });
  await demandDone(ctx, response, { afterAccepted: accepted });
}
