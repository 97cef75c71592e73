import { describe, expect, test } from "vitest";
import { operations } from "./contract.ts";
import type { Operation } from "./operation.ts";

/** Section 4 in order, with the status codes of section 7; four operations have none. */
// biome-ignore format: a table, one operation a line
const documented = [
  ["getProfile", "4.1", "GET /api/user-service/external/v1/profile", "none", "read", "any"],
  ["createQrTransaction", "4.2", "POST /api/transaction-service/external/v1/transaction-with-qr", "application/json", "money", "200, 400"],
  ["createCardTransaction", "4.3", "POST /api/transaction-service/external/v1/transaction-with-card", "application/json", "money", "any"],
  ["createNddTransaction", "4.4", "POST /api/transaction-service/external/v1/transaction-with-ndd", "application/json", "money", "any"],
  ["initializeVirtualAccount", "4.5", "POST /api/transaction-service/external/v1/transaction-initialize/dva", "application/json", "money", "200, 422"],
  ["refundTransaction", "4.6", "POST /api/transaction-service/external/v1/refund-transaction", "application/json", "money", "200, 404, 500"],
  ["addSplitSubaccount", "4.7", "POST /api/transaction-service/external/v1/split-page/{id}/subaccount/add", "application/json", "update", "201, 500"],
  ["listTransfers", "4.8", "GET /api/transaction-service/external/v1/transfer/get-transfer-list", "none", "read", "200, 400, 401, 500"],
  ["listRecipients", "4.9", "GET /api/transaction-service/external/v1/transfer/get-recipient-list", "none", "read", "200, 400, 401, 500"],
  ["addPageProducts", "4.10", "POST /api/payment-service/external/v1/payment-pages/payment-page-add-product", "application/json", "update", "200, 400"],
  ["updateDiscountCode", "4.11", "PUT /api/payment-service/external/v1/products/update-discount-code-details", "application/json", "update", "200, 400"],
  ["createPaymentPage", "4.12", "POST /api/payment-service/external/v1/payment-pages/create-pages", "multipart/form-data", "create", "200, 400"],
  ["checkCustomLink", "4.13", "POST /api/payment-service/external/v1/payment-pages/custom-link-check-exist", "application/json", "read", "200, 400"],
  ["listPageProducts", "4.14", "GET /api/payment-service/external/v1/payment-pages/payment-page-get-product", "none", "read", "200, 400"],
  ["getDispute", "4.15", "GET /api/dispute-service/external/v1/dispute-details", "none", "read", "200, 400"],
  ["createTransfer", "4.16", "POST /api/transaction-service/external/v1/transfer/create-single-transfer", "application/json", "money", "any"],
  ["listCustomers", "4.17", "GET /api/customer-service/external/v1/list", "none", "read", "200, 400"],
  ["listDiscountCodes", "4.18", "GET /api/payment-service/external/v1/products/get-discount-codes", "none", "read", "200, 400"],
  ["createDiscountCode", "4.19", "POST /api/payment-service/external/v1/products/add-discount-code", "application/json", "create", "200, 400"],
  ["updateSubscription", "4.20", "PUT /api/payment-service/external/v1/subscription/{id}", "application/json", "update", "200, 400, 404"],
];

const success = {
  getProfile: { status: "2xx" },
  createQrTransaction: { status: 200, has: "transaction_id" },
  createCardTransaction: { status: "2xx", has: "transactionIdForSession" },
  createNddTransaction: { status: "2xx", has: "transactionIdForSessionForSession" },
  initializeVirtualAccount: { status: 200, equals: { field: "status", value: true } },
  refundTransaction: { status: 200 },
  addSplitSubaccount: { status: 201 },
  listTransfers: { status: 200 },
  listRecipients: { status: 200 },
  addPageProducts: { status: 200 },
  updateDiscountCode: { status: 200 },
  createPaymentPage: { status: 200 },
  checkCustomLink: { status: 200 },
  listPageProducts: { status: 200 },
  getDispute: { status: 200 },
  createTransfer: { status: "2xx", has: "transactionId" },
  listCustomers: { status: 200 },
  listDiscountCodes: { status: 200 },
  createDiscountCode: { status: 200 },
  updateSubscription: { status: 200 },
};

const bound = [
  "initializeVirtualAccount/email-missing 422",
  "initializeVirtualAccount/amount-missing 422",
  "initializeVirtualAccount/body-empty 422",
  "initializeVirtualAccount/email-null 422",
  "initializeVirtualAccount/email-object 422",
  "initializeVirtualAccount/amount-null 422",
  "initializeVirtualAccount/amount-object 422",
  "initializeVirtualAccount/amount-abc 422",
  "initializeVirtualAccount/amount-1e3x 422",
  "initializeVirtualAccount/reference-object 422",
  "refundTransaction/transaction-unknown 404",
  "listTransfers/limit-missing 400",
  "listTransfers/page-missing 400",
  "listTransfers/limit-and-page-missing 400",
  "listTransfers/limit-not-a-number 400",
  "listTransfers/page-not-a-number 400",
  "checkCustomLink/customLink-missing 400",
  "checkCustomLink/customLink-null 400",
  "checkCustomLink/customLink-object 400",
  "updateSubscription/subscription-unknown 404",
  "updateSubscription/planId-object 400",
  "updateSubscription/planName-object 400",
  "updateSubscription/customerId-object 400",
  "updateSubscription/amount-abc 400",
  "updateSubscription/amount-object 400",
  "updateSubscription/nextPaymentDate-object 400",
  "updateSubscription/startDate-object 400",
  "updateSubscription/subscriptionCode-object 400",
  "updateSubscription/paymentCount-x 400",
  "updateSubscription/paymentCount-object 400",
  "updateSubscription/interval-object 400",
  "updateSubscription/status-object 400",
];

const byId = <V>(value: (operation: Operation) => V) =>
  Object.fromEntries(operations.map((operation) => [operation.id, value(operation)]));

test("declares the 20 operations of section 4, in its order, with their status codes", () => {
  const declared = operations.map(({ id, section, method, route, contentType, effect, responses }) => [
    id,
    section,
    `${method} ${route}`,
    contentType,
    effect,
    Object.keys(responses).join(", "),
  ]);

  expect(declared).toEqual(documented);
  expect(declared).toHaveLength(20);
});

test("recognises success as sections 4 and 7 do", () => {
  expect(byId((operation) => operation.success)).toEqual(success);
});

test("names only fields of the request where it says what an operation needs to act", () => {
  const unknown = operations.flatMap(({ needsToAct = {}, path, query, body }: Operation) =>
    Object.keys(needsToAct).filter(
      (field) => !(field in { ...path?.shape, ...query?.shape, ...body?.shape }),
    ),
  );

  expect(unknown).toEqual([]);
});

test("has exactly the placeholders of the path as path parameters", () => {
  const placeholders = byId(({ route }) => route.match(/(?<=\{)\w+(?=\})/g) ?? []);

  expect(byId(({ path }) => Object.keys(path?.shape ?? {}))).toEqual(placeholders);
});

test("has a body if and only if it has a content type, and never on a GET", () => {
  expect(byId(({ body }) => body !== undefined)).toEqual(byId(({ contentType }) => contentType !== "none"));
  expect(operations.filter(({ method, body }) => method === "GET" && body)).toEqual([]);
});

describe("the bound conditions", () => {
  const conditions = operations.flatMap((operation) => operation.bound.map((one) => ({ operation, ...one })));

  test("are the conditions that the specification ties to a status code", () => {
    expect(conditions.map(({ operation, id, status }) => `${operation.id}/${id} ${status}`)).toEqual(bound);
  });

  test("expect a documented status code, and the body that is documented for it", () => {
    const strange = conditions.filter(
      ({ operation, status, shape }) =>
        !operation.responses[status] || (shape && shape !== operation.responses[status]),
    );

    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  test("change only parameters that the operation has", () => {
    const strange = conditions.filter(({ operation, change }) =>
      (["path", "query", "body"] as const).some((part) =>
        Object.keys(change[part] ?? {}).some((name) => !(name in (operation[part]?.shape ?? {}))),
      ),
    );

    expect(strange.map(({ id }) => id)).toEqual([]);
  });
});
