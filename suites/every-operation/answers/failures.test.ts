import { expect, test, vi } from "vitest";
import { contextAgainst, DATA, type Reply } from "../../../fixtures/testing/example-context.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { failedThoughAccepted, isAllowed } from "./failures.ts";

const OK: Reply = [200, { status: "success", message: "ok", data: { reference: "r", status: "ok" } }];
const FILLED: Reply = [200, { status: "success", message: "ok", data: [{ reference: "r", status: "ok" }] }];
const REJECTED: Reply = [400, { status: "error", message: "no", errors: {} }];
const CRASH: Reply = [500, { message: "Internal error" }];

/** The status that is wrong because a twin was accepted, when the ordinary request gets these replies in turn. */
async function failureAfter(id: OperationId, ...replies: readonly Reply[]) {
  const { ctx } = await contextAgainst(replies, id, DATA);
  const responses = [];
  for (const _ of replies) {
    const response = await ctx.send(id, {}, { retry: false, mayBeBusy: true });
    responses.push(response);
    // The clock of a response counts in milliseconds: responses in the same one have no order.
    await vi.waitUntil(() => Date.now() > response.startedAt.getTime() + 2, { interval: 1 });
  }
  return failedThoughAccepted(ctx, responses)?.failed.status;
}

test.each([
  ["a page that is rejected after another was created", "createPaymentPage", [OK, REJECTED], 400],
  ["a page that is created at once after it was rejected", "createPaymentPage", [REJECTED, OK], 400],
  ["a read that crashes after it succeeded", "listCustomers", [OK, CRASH], 500],
  ["nothing if the first request failed and the second succeeded", "listCustomers", [CRASH, OK], undefined],
  ["nothing if the API was busy", "listCustomers", [OK, [429, {}]], undefined],
] as const)("finds %s", async (_, id, replies, status) => {
  expect(await failureAfter(id, ...replies)).toBe(status);
});

test("finds nothing wrong with a link that another request takes in the same millisecond", async () => {
  const { ctx } = await contextAgainst([OK, OK, REJECTED], "createPaymentPage", DATA);
  const first = await ctx.send("createPaymentPage");
  const draft = ctx.draft("createPaymentPage");
  const racers = [1, 2].map(() => ctx.send("createPaymentPage", {}, { draft, retry: false }));
  const responses = await Promise.all(racers);
  for (const response of responses)
    Object.assign(response, { startedAt: new Date(first.startedAt.getTime() + 50), durationMs: 0.4 });

  expect(failedThoughAccepted(ctx, [first, ...responses])).toBeUndefined();
});

test.each([
  ["the first page", { status: "Pending" }, [OK, REJECTED], 400],
  ["the second page", { status: "Pending", page: 2 }, [OK, REJECTED], undefined],
  ["page 1 where there is a page 0", { status: "Pending" }, [OK, OK, REJECTED], undefined],
  ["the second page of the whole list", { page: 2 }, [FILLED, REJECTED], 400],
  ["the second page of a list that was empty", { page: 2 }, [OK, REJECTED], undefined],
] as const)(
  "blames a list that rejects %s of what it found before: %j",
  async (_, query, replies, status) => {
    const { ctx } = await contextAgainst(replies, "listTransfers", DATA);
    if (replies.length > 2) await ctx.send("listTransfers", { query: { page: 0 } });
    const send = () => ctx.send("listTransfers", { query }, { retry: false });
    const first = await send();
    await vi.waitUntil(() => Date.now() > first.startedAt.getTime() + 2, { interval: 1 });

    expect(failedThoughAccepted(ctx, [first, await send()])?.failed.status).toBe(status);
  },
);

test.each([
  ["the ordinary page", "createPaymentPage", {}, true],
  ["an undocumented parameter", "listCustomers", { query: { colour: "red" } }, false],
  ["a limit that is no integer", "listCustomers", { query: { limit: "abc" } }, false],
  ["a filter that is a boolean", "listRecipients", { query: { status: true } }, true],
  ["a code without its value", "createDiscountCode", { body: { value: undefined } }, false],
] as const)("knows whether the specification allows %s", async (_, id, change, allowed) => {
  const { ctx } = await contextAgainst([OK], id, DATA);

  expect(isAllowed(await ctx.send(id, change, { retry: false }), ctx.target)).toBe(allowed);
});
