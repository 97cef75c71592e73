import { itemsAt } from "../../fixtures/engine/lists/items.ts";
import { prepareOrdinary } from "../../fixtures/engine/run/control.ts";
import {
  type ApiResponse,
  type CheckContext,
  candidates,
  check,
  countCommon,
  demand,
  demandDone,
  listOf,
  NotTested,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "addPageProducts";
const LIST = "listPageProducts";
const WHAT = "the last of several products does not exist";

// Before any product was added: later, the page has the valid ones anyway.
check(
  `${ID}/rejections/leave-nothing`,
  `adds nothing when it refuses a request because ${WHAT}`,
  { phase: "first-rejection", critical: "practice" },
  async (ctx) => {
    const before = await ctx.ordinary(LIST);
    const { draft, spent, onAccepted } = prepareOrdinary(ctx, ID);
    if (spent) throw spent;
    const countNew = await newcomers(ctx, before);
    const productIds = `${draft.body?.productIds},${UNKNOWN_ID}`;
    const response = await ctx.sendInvalid(
      ID,
      {},
      { draft: { ...draft, body: { ...draft.body, productIds } } },
    );
    if (response.looksAccepted) {
      onAccepted?.();
      skip(`${response.outcome} although ${WHAT}`);
    }
    const look = async () => {
      const list = await demandDone(ctx, await ctx.send(LIST));
      return { list, more: countNew(list) };
    };
    // A service may take back later what it did before it found the mistake.
    const { list, more } = await ctx.run.settling.until(look, (seen) => seen.more === 0);
    if (more === 0) return;
    onAccepted?.();
    if (response.isCrash) undecided(`${response.outcome}, which is no rejection`);
    const actual = `lists ${plural(more, "product")} of a request that it rejected because ${WHAT}`;
    demand(false, list, actual, "no trace of a rejected request", [before, response]);
  },
);

/** Returns a function that counts the products which a list shows and `before` did not. */
async function newcomers(ctx: CheckContext, before: ApiResponse): Promise<(list: ApiResponse) => number> {
  try {
    const { itemsIn } = await listOf(ctx, LIST).located();
    const identity = await listOf(ctx, LIST).identity();
    const others = itemsIn(before.json);
    return ({ json }) => itemsIn(json).length - countCommon(others, itemsIn(json), identity);
  } catch (error) {
    // Where the list is in a response cannot be seen while it is empty, but it is what grows.
    if (!(error instanceof NotTested && error.reason === "empty-list")) throw error;
    const growth = (json: unknown) =>
      candidates(json).map(({ pointer, items }) => items.length - itemsAt(before.json, pointer).length);
    return ({ json }) => Math.max(0, ...growth(json));
  }
}
