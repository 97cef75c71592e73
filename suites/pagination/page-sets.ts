import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { pairsOf, readStable, readWidest, windows } from "../../fixtures/lists/pages.ts";
import { pageSizes } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { expectOfPages } from "./judged-pages.ts";
import { findMissing, findRepeated } from "./page-judges.ts";
import { atLeast, windowOf } from "./reads.ts";

export const expectDisjointPages = judgedTwice(async (ctx, id) => {
  const size = await windowOf(ctx, id, 3);
  const pages = await readStable(ctx, id, await windows(ctx, id, size, 3));
  const identity = await identityOf(ctx, id);
  for (const [earlier, { answer, items }] of pairsOf(pages)) {
    const common = countCommon(earlier.items, items, identity);
    const actual = `returned ${plural(common, "item")} of an earlier page again (limit=${size})`;
    expectThat(common === 0, answer, actual, "pages that have no item in common", [earlier.answer]);
  }
});

/** Demands that pages of one item show different items. */
export const expectDifferentItems = judgedTwice(async (ctx, id) => {
  const [size] = await pageSizes(ctx, id);
  const length = await atLeast(ctx, id, size === 1 ? 3 : 2 * size);
  const steps = size === 1 ? Math.min(5, length - 1) : 2;
  const pages = await readStable(ctx, id, await windows(ctx, id, size, steps));
  const identity = await identityOf(ctx, id);
  const items = pages.flatMap((page) => page.items.map(identity));
  const different = new Set(items).size;
  const last = pages.at(-1);
  if (!last) return;
  const isFull = different === items.length && items.length >= steps;
  const actual = `returned ${plural(different, "different item")} on ${steps} pages of limit=${size}`;
  const answers = pages.map(({ answer }) => answer);
  expectThat(isFull, last.answer, actual, `${steps} different items`, answers);
});

/** Demands that pages of any size show the same items, each of them once. */
export async function expectSameItems(ctx: CheckContext, id: OperationId) {
  await atLeast(ctx, id, 2);
  const whole = await ctx.run.once(`list/${id}/whole`, () => readWidest(ctx, id));
  await expectOfPages(ctx, id, { filter: {}, ...whole }, findMissing);
  await expectOfPages(ctx, id, { filter: {}, ...whole }, findRepeated);
}

/** Lets a judge of a list read it again after a violation: what others add behind the first window shows only once. */
function judgedTwice(judge: (ctx: CheckContext, id: OperationId) => Promise<void>): typeof judge {
  return async (ctx, id) => {
    try {
      await judge(ctx, id);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      await judge(ctx, id);
      throw new Inconclusive(`moving data: it ${error.message}, but not when it was read again`, {
        advice: "repeat the run while no one else uses the deployment",
      });
    }
  };
}
