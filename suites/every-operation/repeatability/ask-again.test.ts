import { expect, test } from "vitest";
import { Inconclusive, Violation } from "../../../fixtures/engine/http/findings.ts";
import { contextAgainst, type Reply } from "../../../fixtures/testing/example-context.ts";
import { expectRefusedAgain, expectSuccessAgain } from "./ask-again.ts";

const REFUSED: Reply = [400, { status: "error", message: "no", errors: {} }];
const CREATED: Reply = [200, { status: "success", message: "ok", data: { reference: "r" } }];
const LISTED: Reply = [200, { status: "success", message: "ok", data: { reference: "r", status: "ok" } }];
const BUSY: Reply = [503, ""];
const CRASHED: Reply = [500, { error: "oops" }];
const WITHOUT_CODE = { body: { code: undefined } };

/** Sends a request that is refused, and what happens when it is repeated. */
async function refusedThen(...replies: readonly Reply[]) {
  const { ctx, server, requests } = await contextAgainst([REFUSED, ...replies], "createDiscountCode");
  const first = await ctx.sendInvalid("createDiscountCode", WITHOUT_CODE, { retry: false });
  const draft = ctx.draft("createDiscountCode", WITHOUT_CODE, { invalid: true });
  const repeated = expectRefusedAgain(ctx, first, draft, "code is missing");
  return { repeated, server, requests, ctx };
}

test("repeats a refused request byte for byte", async () => {
  const { repeated, ctx } = await refusedThen(REFUSED);
  await repeated;

  const [first, second] = ctx.answers.map(({ request }) => request);

  expect(second?.body?.toString()).toBe(first?.body?.toString());
  expect(second?.path).toBe(first?.path);
});

test.each([
  ["is refused with another 4xx", [[409, { detail: "no" }]], 2],
  ["is refused once the service is no longer busy", [BUSY, REFUSED], 3],
  ["is refused after a single crash", [CRASHED, REFUSED], 3],
] as const)("passes if the request %s", async (_, replies, count) => {
  const { repeated, requests } = await refusedThen(...replies);

  await expect(repeated).resolves.toBeUndefined();
  expect(requests()).toHaveLength(count);
});

test("fails at once if a refused request is accepted, and says that it was refused before", async () => {
  const { repeated } = await refusedThen(CREATED, REFUSED);

  await expect(repeated).rejects.toThrow(
    "returned 200 although code is missing, and the API returned 400 to the same request before",
  );
  await expect(repeated).rejects.toThrow(Violation);
});

test("fails if a refused request crashes the service twice", async () => {
  const { repeated } = await refusedThen(CRASHED, CRASHED);

  await expect(repeated).rejects.toThrow(
    "returned 500 although the API returned 400 to the same request before",
  );
});

test("decides nothing while the service is busy", async () => {
  const { repeated } = await refusedThen(BUSY, BUSY);

  await expect(repeated).rejects.toThrow(Inconclusive);
});

test.each([
  ["passes", "succeeds again", [LISTED], undefined],
  ["passes", "fails once", [[404, ""], LISTED], undefined],
  [
    "fails",
    "is not found twice",
    [
      [404, ""],
      [404, ""],
    ],
    Violation,
  ],
  ["decides nothing", "finds a busy service", [BUSY, BUSY], Inconclusive],
] as const)("%s if a read %s", async (_, __, replies, error) => {
  const { ctx } = await contextAgainst([LISTED, ...replies], "listCustomers");
  const first = await ctx.send("listCustomers", {}, { retry: false });
  const repeated = expectSuccessAgain(ctx, first, ctx.draft("listCustomers"));

  await (error ? expect(repeated).rejects.toThrow(error) : expect(repeated).resolves.toBeUndefined());
});
