import { describe, expect, test } from "vitest";
import type { ClientOptions } from "../../../fixtures/engine/http/client.ts";
import { contextAgainst, DATA, type Reply } from "../../../fixtures/testing/example-context.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { directionOf } from "./recorded.ts";

/** The direction in which the response to a request is judged. */
async function directionTo(id: OperationId, reply: Reply, options: ClientOptions = {}) {
  const { ctx } = await contextAgainst([reply], id, {
    ...DATA,
    SECOND_SECRET_KEY: "sk_test_second_merchant_0001",
  });
  return directionOf(await ctx.run.client.send(id, ctx.draft(id), "example", options), ctx.target);
}

const OK: Reply = [200, { status: "success", message: "ok", data: { reference: "r", status: "ok" } }];
const SHAPE_A: Reply = [400, { status: "error", message: "no", errors: {} }];
const PAGE: Reply = [400, "<!doctype html>", { "Content-Type": "text/html" }];

describe("the recorded responses that are judged", () => {
  test.each([
    ["a success", "listCustomers", OK, {}, "success"],
    ["a success without a member", "listCustomers", [200, { status: "success" }], {}, "success"],
    ["a success that is a web page", "listCustomers", [200, "<html>"], {}, "success"],
    ["another 2xx", "listCustomers", [204, ""], {}, "success"],
    [
      "a success for the second merchant",
      "listCustomers",
      OK,
      { authorization: "Bearer sk_test_second_merchant_0001" },
      "success",
    ],
    ["a virtual account without status", "initializeVirtualAccount", [200, { message: "ok" }], {}, "success"],
    ["a rejection", "createDiscountCode", SHAPE_A, {}, "rejection"],
    ["a rejection without a body", "createDiscountCode", [400, ""], {}, "rejection"],
    ["a web page with a documented status", "createDiscountCode", PAGE, {}, "rejection"],
    ["a rejection of an array", "createDiscountCode", SHAPE_A, { bytes: "[]" }, "rejection"],
    ["a rejection without documented status", "createTransfer", [409, { error: "no" }], {}, "rejection"],
    ["a rejection with 200", "createTransfer", [200, { status: "Blocked", message: "no" }], {}, "rejection"],
    ["a documented 500", "addSplitSubaccount", [500, { message: "no" }], {}, "rejection"],
  ] as const)("include %s", async (_, id, reply, options, direction) => {
    expect(await directionTo(id, reply, options)).toBe(direction);
  });

  test.each([
    ["a throttled request", "createTransfer", [429, { error: "slow down" }], {}],
    ["a busy service", "createTransfer", [503, ""], {}],
    ["a gateway's page", "createTransfer", [404, "<html>"], {}],
    ["a firewall's page", "createTransfer", [403, "<html>"], {}],
    ["a long request that a gateway refused", "createCardTransaction", [413, { message: "too long" }], {}],
    ["a crash without JSON", "addSplitSubaccount", [500, "<html>"], {}],
    ["a crash", "createTransfer", [500, { oops: 1 }], {}],
    ["an undocumented status", "createDiscountCode", [422, { detail: "no" }], {}],
    ["an undocumented body", "listCustomers", [400, { detail: "no" }], {}],
    ["an undocumented success", "getProfile", [200, ""], {}],
    ["an account that was not opened", "initializeVirtualAccount", [200, { status: false }], {}],
    ["malformed JSON", "createDiscountCode", PAGE, { bytes: '{"a":' }],
    ["a body that is no structure", "createDiscountCode", PAGE, { bytes: '"text"' }],
    ["another media type", "createDiscountCode", PAGE, { contentType: "text/plain" }],
    ["another method", "listCustomers", [200, ""], { method: "HEAD" }],
    ["another path", "listCustomers", [200, "<html>"], { pathSuffix: "/" }],
    ["an unknown key", "createDiscountCode", [400, "no"], { authorization: "Bearer sk_test_x" }],
    ["a key twice", "createDiscountCode", [400, "no"], { headers: [["Authorization", "Bearer a"]] }],
  ] as const)("leave out %s", async (_, id, reply, options) => {
    expect(await directionTo(id, reply, options)).toBeUndefined();
  });
});
