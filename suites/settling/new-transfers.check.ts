import { Inconclusive } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import type { KnownFilter } from "../../fixtures/lists/known-filters.ts";
import { identityOf, originOf } from "../../fixtures/lists/locate.ts";
import { readWidest } from "../../fixtures/lists/pages.ts";
import { widestLimit } from "../../fixtures/lists/query.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { expectOfPages, findMissing, findRepeated, lastFilledPage, readAt } from "../pagination/walk.ts";

const LIST = "listTransfers";
const options = { must: contract[LIST].list.paged.page, scope: "paging" } as const;

/** Reading more pages takes too long. */
const MOST_PAGES = 12;

check(
  "listTransfers/paging/filtered-new-transfer",
  "shows a new transfer on the pages of its status",
  options,
  async (ctx) => {
    const { isShown, answer, status } = await ctx.run.settling.until(
      () => lookUp(ctx),
      (found) => found.isShown,
    );
    const actual = `shows a transfer of this run for its reference and status=${status}, but on no page of status=${status}`;
    expectThat(isShown, answer, actual, "the transfer on one of the pages");
  },
);

check(
  "listTransfers/paging/filtered-pages-after-writes",
  "shows each item once, whatever the limit, on the pages of a status with new transfers",
  options,
  async (ctx) => {
    const known = await statusOfOwn(ctx);
    await expectOfPages(ctx, LIST, known, findRepeated);
    await expectOfPages(ctx, LIST, known, findMissing);
  },
);

/** Finds the status of this run's first transfer, and what the widest page of that status shows. */
async function statusOfOwn(
  ctx: CheckContext,
): Promise<KnownFilter & { own: readonly unknown[]; status: string }> {
  const transferReference = requireReferenceSent(await acceptedControl(ctx, "createTransfer"));
  // The most likely statuses of a new transfer come first.
  const likely = ["Pending", "Successful"];
  for (const status of [...likely, ...TRANSFER_STATUSES.filter((other) => !likely.includes(other))]) {
    const { items: own } = await readWidest(ctx, LIST, { transferReference, status });
    if (own.length > 0)
      return { own, status, filter: { status }, ...(await readWidest(ctx, LIST, { status })) };
  }
  throw new Inconclusive(
    "the list shows no transfer of this run for its reference and any status",
    "createTransfer/accepted-is-listed",
  );
}

/** Looks for a transfer of this run on the pages of its status: on the first ones, then on the last ones. */
async function lookUp(ctx: CheckContext) {
  const { own, filter, status } = await statusOfOwn(ctx);
  const identity = await identityOf(ctx, LIST);
  const origin = await originOf(ctx, LIST);
  const limit = await widestLimit(ctx, LIST);
  const read = (before: number) => readAt(ctx, { id: LIST, filter, origin }, limit, before);
  for (let before = 0; before < MOST_PAGES; before += 1) {
    const { answer, items } = await read(before);
    if (countCommon(own, items, identity) > 0) return { isShown: true, answer, status };
    if (items.length === 0) return { isShown: false, answer, status };
  }
  const last = await lastFilledPage(MOST_PAGES - 1, async (page) => (await read(page)).items.length > 0);
  for (const before of [last, last - 1]) {
    const { answer, items } = await read(before);
    if (countCommon(own, items, identity) > 0) return { isShown: true, answer, status };
  }
  throw new Inconclusive(
    `the list has ${last + 1} pages of ${limit} transfers with status=${status}, and the first ${MOST_PAGES} and the last 2 do not show the transfer`,
  );
}
