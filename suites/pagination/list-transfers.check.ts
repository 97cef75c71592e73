import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { windows } from "../../fixtures/lists/pages.ts";
import { readStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";

const LIST = "listTransfers";

check(
  "listTransfers/reading-changes-nothing",
  "returns the same transfers when they are read again",
  { should: "RFC 9110", scope: "paging" },
  async (ctx) => {
    const [window = {}] = await windows(ctx, LIST, 5, 1);
    const [first, ...others] = await readStable(ctx, LIST, [window, window, window]);
    const identity = await identityOf(ctx, LIST);
    if (!first) return;
    // The last read agrees with the first, so no one else made the difference of a read between them.
    for (const { answer, items } of others) {
      const isSame = sameItems(first.items, items, identity);
      expectThat(isSame, answer, "returned other transfers for the same request", "the same transfers");
    }
  },
);

// One more than the largest 32-bit integer, and a limit that is only large.
for (const limit of [2_147_483_648, 1_000_000_000]) {
  check(
    `listTransfers/limit-${limit}`,
    `neither crashes nor returns more than 4 MiB for limit=${limit}`,
    { should: "N42" },
    async (ctx) => {
      const expected = "400, or a page of the API's own maximum";
      const answer = await sendWithRetry(ctx, LIST, { query: { limit } });
      expectAnswered(answer);
      expectThat(!answer.is5xx, answer, `${outcomeOf(answer)} for limit=${limit}`, expected);
      expectThat(!answer.oversized, answer, `returned more than 4 MiB for limit=${limit}`, expected);
      ctx.observe("N42", `limit=${limit} ${handlingOf(answer)}`);
    },
  );
}

check(
  "listTransfers/unknown-parameter",
  "accepts or rejects an unknown query parameter",
  { observe: "G08" },
  async (ctx) => {
    const answer = await sendWithRetry(ctx, LIST, { query: { conformance: "1" } });
    ctx.observe("G08", `an unknown query parameter ${handlingOf(answer)}`);
  },
);
