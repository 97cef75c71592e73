import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract, type OperationId, operations } from "./contract.ts";
import type { Operation } from "./operation.ts";
import { TRANSFER_STATUSES } from "./operations/transfers.ts";
import { misjudged } from "./testing/mutations.ts";

/** One part of a request, copied from section 4: its fields with a sample value each. */
interface Documented {
  readonly required?: Readonly<Record<string, unknown>>;
  /** Marked as optional, or not marked at all. */
  readonly optional?: Readonly<Record<string, unknown>>;
  readonly integers?: readonly string[];
}

const payment = { customerId: 11, planId: 22, channel: "WEB", amount: 1500 };
const paymentOptions = { ipAddress: "192.0.2.1", fees: 10, message: "order 1", isLive: false };
const pages = { limit: 20, page: 1 };

// biome-ignore format: a table
const documented: readonly [OperationId, "path" | "query" | "body", Documented][] = [
  ["createQrTransaction", "body", {
    required: { ...payment, mch_no: "M1", sub_mch_no: "S1" },
    optional: paymentOptions,
  }],
  ["createCardTransaction", "body", {
    required: { ...payment, cardNumber: "4242424242424242", expiryYear: "2030", expiryMonth: "12", cvv: "123" },
    optional: paymentOptions,
  }],
  ["createNddTransaction", "body", { optional: { ...payment, ...paymentOptions } }],
  ["initializeVirtualAccount", "body", {
    required: { email: "payer@example.com", amount: "150000" },
    optional: { reference: "ref-1" },
  }],
  ["refundTransaction", "body", { optional: { transactionRef: "ref-1", amount: 100 } }],
  ["addSplitSubaccount", "path", { required: { id: 7 }, integers: ["id"] }],
  ["addSplitSubaccount", "body", { optional: { shere: 25, sub_account_id: "SUB_1" }, integers: ["shere"] }],
  ["listTransfers", "query", {
    required: pages,
    optional: { transferReference: "ref-1", status: "Pending" },
    integers: ["limit", "page"],
  }],
  ["listRecipients", "query", {
    required: pages,
    optional: { status: true, searchRecipientAccountName: "Ada" },
    integers: ["limit", "page"],
  }],
  ["addPageProducts", "body", { optional: { pageId: 7, productIds: "1,2" } }],
  ["updateDiscountCode", "query", {}],
  ["updateDiscountCode", "body", {}],
  ["createPaymentPage", "body", {
    optional: {
      planId: 22, pageType: "Subscription", pageName: "Page", pageDescription: "A page",
      seoImage: new File(["x"], "seo.png", { type: "image/png" }), isFixedPaymentAmount: true,
      fixedPaymentAmount: 1500, isPhoneNumber: false, customLink: "link-1",
      redirectAfterPaymentLink: "https://example.com/done", successMessage: "Thank you",
      sendNotificationsToEmail: "merchant@example.com", extraInformation: ["size", "colour"],
    },
  }],
  ["checkCustomLink", "body", { required: { customLink: "link-1" } }],
  ["listPageProducts", "query", {
    required: { pageId: 7 },
    optional: { searchProduct: "hat" },
    integers: ["pageId"],
  }],
  ["getDispute", "query", { required: { transactionRef: "ref-1" } }],
  ["createTransfer", "body", {
    required: {
      amount: 500, bankCode: "001", accountNumber: "0001112223", accountName: "Ada",
      emailAddress: "payee@example.com", transferReference: "ref-1",
    },
    optional: { bankName: "Bank", transferNote: "rent" },
  }],
  ["listCustomers", "query", { required: pages, optional: { search: "Ada" }, integers: ["limit", "page"] }],
  ["listDiscountCodes", "query", { optional: { productId: "3", code: "CODE" } }],
  ["createDiscountCode", "body", {
    required: { code: "CODE", value: 10, discounttype: "percent" },
    optional: {
      productId: 3, minOrderAmount: 100, maxUsePerCustomer: 1, maxClaims: 50, startDate: "2030-01-01",
      endDate: "2030-02-01", isActive: true, isDelete: false,
    },
  }],
  ["updateSubscription", "path", { required: { id: 7 }, integers: ["id"] }],
  ["updateSubscription", "body", {
    optional: {
      planId: "22", planName: "Gold", customerId: "11", amount: 1500, nextPaymentDate: "2030-01-01",
      startDate: "2029-01-01", subscriptionCode: "SUBS_1", paymentCount: 3, interval: "monthly", status: "active",
    },
    integers: ["paymentCount"],
  }],
];

/** The types of the card fields are undocumented (section 4.3), so a number is as valid as text. */
const cardFields = ["cardNumber", "expiryYear", "expiryMonth", "cvv"];

describe.each(documented)("%s, the %s", (id, part, { required = {}, optional = {}, integers = [] }) => {
  const operation: Operation = contract[id];
  const schema = operation[part] ?? z.never();
  const sample = { ...required, ...optional };

  test("has the documented names, and is accepted with all fields and with the required ones alone", () => {
    expect(Object.keys(operation[part]?.shape ?? {}).toSorted()).toEqual(Object.keys(sample).toSorted());
    expect(schema.parse(sample)).toEqual(sample);
    expect(schema.parse(required)).toEqual(required);
  });

  test("is rejected without a required field, and with any field of another type", () => {
    const isAllowed = (path: string, kind: string) =>
      (kind === "missing" && !(path in required)) || (cardFields.includes(path) && kind === "number");

    expect(misjudged(schema, sample, ({ path, kind }) => isAllowed(path, kind))).toEqual([]);
  });

  test("accepts a fraction for a number and rejects it for an integer", () => {
    const numbers = Object.keys(sample).filter((field) => typeof sample[field] === "number");
    const accepts = (field: string) => schema.safeParse({ ...sample, [field]: 1.5 }).success;

    expect(numbers.filter((field) => !accepts(field))).toEqual(integers);
  });
});

test("the samples cover every part of every declared request", () => {
  const declared = operations.flatMap((operation) =>
    (["path", "query", "body"] as const)
      .filter((part) => operation[part])
      .map((part) => `${operation.id} ${part}`),
  );

  expect(documented.map(([id, part]) => `${id} ${part}`)).toEqual(declared);
});

test("the status filter of transfers accepts the six documented values and no other spelling", () => {
  const words = ["Successful", "Failed", "Blocked", "Rejected", "Pending", "Unverified"];
  const { status } = contract.listTransfers.query.shape;

  expect(TRANSFER_STATUSES).toEqual(words);
  expect(words.filter((word) => !status.safeParse(word).success)).toEqual([]);
  expect(["pending", "PENDING", "Success", ""].filter((word) => status.safeParse(word).success)).toEqual([]);
});
