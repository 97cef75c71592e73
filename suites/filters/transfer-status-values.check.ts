import { handlingOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoItems, expectStatus } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { readTolerated } from "../pagination/tolerated-pages.ts";

const LIST = "listTransfers";

// Section 4.8: the values that the status filter takes.
for (const status of TRANSFER_STATUSES) {
  check(
    `listTransfers/status-${status}-accepted`,
    `accepts the filter status=${status}`,
    { must: ["R011", "R019"] },
    (ctx) => sendAccepted(ctx, LIST, { query: { status } }, { ownData: true }),
  );
}

check(
  "listTransfers/status-unknown/filtered",
  "refuses an unknown status or lists nothing",
  { must: ["R011", "R059"], scope: "paging" },
  async (ctx) => {
    const page = await readTolerated(ctx, LIST, { status: "Bogus" });
    expectNoItems(page, "status=Bogus", "400 or no items");
  },
);

check(
  "listTransfers/status-unknown/status",
  "returns 400 for an unknown status",
  { should: ["R011", "R059"] },
  async (ctx) => {
    expectStatus(await sendWithRetry(ctx, LIST, { query: { status: "Bogus" } }), 400, "status is Bogus");
  },
);

check(
  "listTransfers/status-lower-case",
  "accepts or rejects a status in lower case",
  { observe: "G20" },
  async (ctx) => {
    const answer = await sendWithRetry(ctx, LIST, { query: { status: "successful" } });
    ctx.observe("G20", `status=successful in lower case ${handlingOf(answer)}`);
  },
);
