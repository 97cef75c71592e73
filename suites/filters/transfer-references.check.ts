import { Inconclusive } from "../../fixtures/http/findings.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoItems } from "../../fixtures/judge/matchers.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { referenceFilters } from "./reference-filters.ts";
import { expectDisjoint } from "./transfer-sets.ts";

const LIST = "listTransfers";
const scope = "paging";

// Section 4.8: what the filter transferReference selects, alone and together with status.
check(
  "listTransfers/filters-accepted",
  "accepts the filter transferReference, alone and with status",
  { must: ["R011", "R054"] },
  async (ctx) => {
    const transferReference = ctx.run.builder.fresh();
    await sendAccepted(ctx, LIST, { query: { transferReference } }, { ownData: true });
    await sendAccepted(ctx, LIST, { query: { transferReference, status: "Successful" } }, { ownData: true });
  },
);

check(
  "listTransfers/reference-unknown-finds-nothing",
  "lists nothing for a transferReference that was never used",
  { must: ["R011", "R054"], scope },
  async (ctx) => {
    const transferReference = ctx.run.builder.fresh();
    for (const other of [{}, ...TRANSFER_STATUSES.map((status) => ({ status }))]) {
      const page = await readFiltered(ctx, LIST, { transferReference, ...other });
      expectNoItems(page, "a transferReference that was never used, as if there were no filter");
    }
  },
);

check(
  "listTransfers/status-sets-disjoint-for-reference",
  "lists a transfer that is asked for by reference under one status only",
  { must: ["R011", "R019"], scope },
  async (ctx) => {
    for await (const filter of referenceFilters(ctx)) {
      await expectDisjoint(ctx, filter);
      return;
    }
    throw new Inconclusive("no transfer is found by a reference that the list shows");
  },
);
