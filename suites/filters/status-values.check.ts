import { handlingOf } from "../../fixtures/http/wording.ts";
import { expectFilterAccepted } from "../../fixtures/judge/accepted-filters.ts";
import { operationOfCheck } from "../../fixtures/judge/check-families.ts";
import { expectAnswered, expectNoItems, expectStatus } from "../../fixtures/judge/matchers.ts";
import { pageOf } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { readTolerated } from "../pagination/reads.ts";

// Sections 4.8 and 4.9: the values that the filter status takes.
for (const { id, must, statuses } of [
  { id: "listTransfers", must: ["R011", "R019"], statuses: TRANSFER_STATUSES },
  { id: "listRecipients", must: ["R012", "R021", "R062"], statuses: [true, false] },
] as const) {
  for (const status of statuses)
    check(`${id}/status-${status}-accepted`, `accepts the filter status=${status}`, { must }, (ctx) =>
      expectFilterAccepted(ctx, id, { status }),
    );
}

check(
  "listTransfers/status-unknown/filtered",
  "refuses an unknown status or lists nothing",
  { must: ["R011", "R059"], scope: "paging" },
  async (ctx) => {
    const page = await readTolerated(ctx, "listTransfers", { status: "Bogus" });
    expectNoItems(page, "status=Bogus", "400 or no items");
  },
);

check(
  "listTransfers/status-unknown/status",
  "returns 400 for an unknown status",
  { should: ["R011", "R059"] },
  async (ctx) => {
    const answer = await sendWithRetry(ctx, "listTransfers", { query: { status: "Bogus" } });
    expectStatus(answer, 400, "status is Bogus");
  },
);

check(
  "listRecipients/status-unknown",
  "refuses status=maybe or lists nothing",
  { should: ["R012", "R021"], scope: "paging" },
  async (ctx) => {
    const answer = await sendWithRetry(ctx, "listRecipients", { query: { status: "maybe" } });
    expectAnswered(answer);
    if (answer.is2xx) expectNoItems(await pageOf(ctx, "listRecipients", answer), "status=maybe", "400");
  },
);

for (const [id, item, query, what] of [
  ["listTransfers/status-lower-case", "G20", { status: "successful" }, "status=successful in lower case"],
  ["listTransfers/unknown-parameter", "G08", { conformance: "1" }, "an unknown query parameter"],
  ["listRecipients/status-1", "G20", { status: "1" }, "status=1"],
  ["listRecipients/status-TRUE", "G20", { status: "TRUE" }, "status=TRUE"],
] as const)
  check(id, `accepts or rejects ${what}`, { observe: item }, async (ctx) => {
    const answer = await sendWithRetry(ctx, operationOfCheck(id), { query });
    ctx.observe(item, `${what} ${handlingOf(answer)}`);
  });
