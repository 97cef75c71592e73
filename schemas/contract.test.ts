import { expect, test } from "vitest";
import { contract, type OperationId, operations } from "./contract.ts";
import { neededByCondition, type Operation } from "./operation.ts";
import { fieldProbes, rejectedRequests } from "./probes.ts";

/** Section 4 in order, with the status codes of section 7 (four operations have none) and what shows a success. */
// biome-ignore format: a table, one operation a line
const documented = [
  ["getProfile", "4.1", "GET /api/user-service/external/v1/profile", "none", "read", "any", "2xx"],
  ["createQrTransaction", "4.2", "POST /api/transaction-service/external/v1/transaction-with-qr", "application/json", "money", "200, 400", "200 transaction_id"],
  ["createCardTransaction", "4.3", "POST /api/transaction-service/external/v1/transaction-with-card", "application/json", "money", "any", "2xx transactionIdForSession"],
  ["createNddTransaction", "4.4", "POST /api/transaction-service/external/v1/transaction-with-ndd", "application/json", "money", "any", "2xx transactionIdForSessionForSession"],
  ["initializeVirtualAccount", "4.5", "POST /api/transaction-service/external/v1/transaction-initialize/dva", "application/json", "money", "200, 422", "200 status=true"],
  ["refundTransaction", "4.6", "POST /api/transaction-service/external/v1/refund-transaction", "application/json", "money", "200, 404, 500", "200"],
  ["addSplitSubaccount", "4.7", "POST /api/transaction-service/external/v1/split-page/{id}/subaccount/add", "application/json", "update", "201, 500", "201"],
  ["listTransfers", "4.8", "GET /api/transaction-service/external/v1/transfer/get-transfer-list", "none", "read", "200, 400, 401, 500", "200"],
  ["listRecipients", "4.9", "GET /api/transaction-service/external/v1/transfer/get-recipient-list", "none", "read", "200, 400, 401, 500", "200"],
  ["addPageProducts", "4.10", "POST /api/payment-service/external/v1/payment-pages/payment-page-add-product", "application/json", "update", "200, 400", "200"],
  ["updateDiscountCode", "4.11", "PUT /api/payment-service/external/v1/products/update-discount-code-details", "application/json", "update", "200, 400", "200"],
  ["createPaymentPage", "4.12", "POST /api/payment-service/external/v1/payment-pages/create-pages", "multipart/form-data", "create", "200, 400", "200"],
  ["checkCustomLink", "4.13", "POST /api/payment-service/external/v1/payment-pages/custom-link-check-exist", "application/json", "read", "200, 400", "200"],
  ["listPageProducts", "4.14", "GET /api/payment-service/external/v1/payment-pages/payment-page-get-product", "none", "read", "200, 400", "200"],
  ["getDispute", "4.15", "GET /api/dispute-service/external/v1/dispute-details", "none", "read", "200, 400", "200"],
  ["createTransfer", "4.16", "POST /api/transaction-service/external/v1/transfer/create-single-transfer", "application/json", "money", "any", "2xx transactionId"],
  ["listCustomers", "4.17", "GET /api/customer-service/external/v1/list", "none", "read", "200, 400", "200"],
  ["listDiscountCodes", "4.18", "GET /api/payment-service/external/v1/products/get-discount-codes", "none", "read", "200, 400", "200"],
  ["createDiscountCode", "4.19", "POST /api/payment-service/external/v1/products/add-discount-code", "application/json", "create", "200, 400", "200"],
  ["updateSubscription", "4.20", "PUT /api/payment-service/external/v1/subscription/{id}", "application/json", "update", "200, 400, 404", "200"],
];

/** The conditions that the specification ties to a status code. */
const bound: readonly (readonly [OperationId, number, string])[] = [
  ["initializeVirtualAccount", 422, "email-missing amount-missing body-empty email-null email-object"],
  ["initializeVirtualAccount", 422, "amount-null amount-object amount-abc amount-1e3x reference-object"],
  ["refundTransaction", 404, "transaction-unknown"],
  ["listTransfers", 400, "limit-missing page-missing limit-and-page-missing limit-not-a-number"],
  ["listTransfers", 400, "page-not-a-number"],
  ["checkCustomLink", 400, "customLink-missing customLink-null customLink-object"],
  ["updateSubscription", 404, "subscription-unknown"],
  ["updateSubscription", 400, "planId-object planName-object customerId-object amount-object"],
  ["updateSubscription", 400, "nextPaymentDate-object startDate-object subscriptionCode-object"],
  ["updateSubscription", 400, "paymentCount-object interval-object status-object amount-abc paymentCount-x"],
];

test("declares the 20 operations of section 4, in its order, with their status codes", () => {
  const declared = operations.map(
    ({ id, section, method, route, contentType, effect, responses, success }) => {
      const { status, has, equals } = success;
      const sign = [status, ...(has ? [has] : []), ...(equals ? [`${equals.field}=${equals.value}`] : [])];
      const codes = Object.keys(responses).join(", ");
      return [id, section, `${method} ${route}`, contentType, effect, codes, sign.join(" ")];
    },
  );

  expect(declared).toEqual(documented);
  expect(declared).toHaveLength(20);
});

test("names only fields of the request where it says what an operation needs to act", () => {
  const unknown = operations.flatMap(({ needsToAct = {}, path, query, body }: Operation) =>
    Object.keys(needsToAct).filter(
      (field) => !(field in { ...path?.shape, ...query?.shape, ...body?.shape }),
    ),
  );

  expect(unknown).toEqual([]);
});

test("declares the conditions that the specification ties to a status code", () => {
  expect(operations.flatMap(({ id, bound }) => bound.map((one) => `${id} ${one.status} ${one.id}`))).toEqual(
    bound.flatMap(([id, status, names]) => names.split(" ").map((name) => `${id} ${status} ${name}`)),
  );
});

test("never alters an undocumented request, nor isLive", () => {
  const all = operations.flatMap((operation) => [
    ...rejectedRequests(operation),
    ...fieldProbes(operation).flatMap(({ defects }) => defects),
  ]);

  expect(all.length).toBeGreaterThan(100);
  expect(JSON.stringify(all.map(({ change }) => change))).not.toContain("isLive");
  expect(fieldProbes(contract.updateDiscountCode)).toEqual([]);
});

test("a condition needs the variable of the record in the path, unless it changes the path", () => {
  const { bound }: Operation = contract.updateSubscription;
  const needed = bound.map((one) => [one.id, neededByCondition(contract.updateSubscription, one)]);

  expect(Object.fromEntries(needed)).toMatchObject({
    "subscription-unknown": [],
    "amount-abc": ["SUBSCRIPTION_ID"],
  });
});
