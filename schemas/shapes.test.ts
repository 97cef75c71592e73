import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anyValue, ReadEnvelope, ToleratedReadEnvelope, ValidationError } from "./bodies.ts";
import { contract, type OperationId, operations } from "./contract.ts";
import type { Operation } from "./operation.ts";
import { type Kind, misjudged } from "./testing/mutations.ts";

/** A body copied from the specification, and its variants with one difference that are valid all the same. */
interface Sample {
  readonly body: Readonly<Record<string, unknown>>;
  readonly accepts?: Readonly<Record<string, readonly (Kind | "missing")[]>>;
  readonly because?: string;
}

const shapeA: Sample = {
  body: { status: "error", message: "Validation failed", errors: { amount: ["must be a number"] } },
  accepts: { "errors.amount": ["missing"], "errors.amount.0": ["missing"] },
  because: "shape A promises no particular field and no number of messages",
};
const shapeC: Sample = { body: { message: "Transaction failed", code: 12, error: "declined" } };
const shapeD: Sample = { body: { error: "Not found" } };
const message: Sample = { body: { message: "Done" } };
const created: Sample = { body: { status: "success", message: "Created", data: { reference: "ref-1" } } };
const read: Sample = {
  body: { status: "success", message: "Found", data: { reference: "ref-1", status: "success" } },
};

/** A body in which these members may have any type, for the reason given. */
const untyped = (because: string, body: Sample["body"], ...fields: readonly string[]): Sample => {
  const kinds = ["null", "boolean", "number", "array", "object", "NaN"] as const;
  return { body, accepts: Object.fromEntries(fields.map((field) => [field, kinds])), because };
};

const shapeOfSession = untyped(
  "sections 4.3 and 4.4 name message and error without their types",
  shapeC.body,
  "message",
  "error",
);

type Where = number | "any" | "error";

/** Sections 4.1 to 4.20 in order: every body that the specification shows. */
// biome-ignore format: a table
const shown: readonly [OperationId, Where, Sample][] = [
  ["createQrTransaction", 200, { body: {
    ReturnCode: "00", OrderSn: "sn-1", CodeUrl: "qr-payload", orderNo: "no-1", transaction_id: 4001,
  } }],
  ["createQrTransaction", 400, shapeC],
  ["createCardTransaction", "any", untyped("section 4.3 types it as a value",
    { message: "Charged", paymentDetails: "approved", transactionIdForSession: 4002 }, "paymentDetails")],
  ["createCardTransaction", "error", shapeOfSession],
  ["createNddTransaction", "any", untyped("section 4.4 types it as a value",
    { message: "Sent", mandateResponse: "pending", transactionIdForSessionForSession: 4003 }, "mandateResponse")],
  ["createNddTransaction", "error", shapeOfSession],
  ["initializeVirtualAccount", 200, untyped("section 4.5 leaves its type open",
    { status: true, message: "Opened", data: "account" }, "data")],
  ["initializeVirtualAccount", 422, shapeA],
  ["refundTransaction", 200, { body: {} }],
  ["refundTransaction", 404, shapeD],
  ["addSplitSubaccount", 201, { body: { share: 25, subaccount: "SUB_1" } }],
  ["addSplitSubaccount", 500, shapeD],
  ["listTransfers", 200, read],
  ["listRecipients", 200, read],
  ["addPageProducts", 200, message],
  ["addPageProducts", 400, shapeD],
  ["updateDiscountCode", 200, { body: { status: "success", message: "Updated", data: {} } }],
  ["updateDiscountCode", 400, shapeA],
  ["createPaymentPage", 200, created],
  ["createPaymentPage", 400, shapeA],
  ["checkCustomLink", 200, message],
  ["checkCustomLink", 400, shapeD],
  ["listPageProducts", 200, read],
  ["listPageProducts", 400, shapeA],
  ["getDispute", 200, read],
  ["getDispute", 400, shapeA],
  ["createTransfer", "any", { body: { status: "success", transactionId: "tx-1", message: "Sent" } }],
  ["createTransfer", "error", { body: { status: "failed", message: "Blocked" } }],
  ["listCustomers", 200, read],
  ["listDiscountCodes", 200, read],
  ["createDiscountCode", 200, created],
  ["createDiscountCode", 400, shapeA],
  ["updateSubscription", 200, message],
  ["updateSubscription", 400, shapeA],
];

/** Section 4 lists these status codes without a body. */
// biome-ignore format: a table
const undocumented: readonly [OperationId, Where][] = [
  ["getProfile", "any"], ["refundTransaction", 500], ["listTransfers", 400], ["listTransfers", 401],
  ["listTransfers", 500], ["listRecipients", 400], ["listRecipients", 401], ["listRecipients", 500],
  ["listCustomers", 400], ["listDiscountCodes", 400], ["updateSubscription", 404],
];

function schemaAt(id: OperationId, where: Where): z.ZodType {
  const { responses, errorBody }: Operation = contract[id];
  const schema = where === "error" ? errorBody : responses[where];
  if (!schema) throw new Error(`${id} declares no body at ${where}`);
  return schema;
}

const accepts = (schema: z.ZodType, body: unknown) => schema.safeParse(body).success;

describe.each(shown)("%s, the body at %s", (id, where, { body, accepts: exceptions = {} }) => {
  const schema = schemaAt(id, where);

  test("is accepted as documented, and with further members unless it is the refund's empty object", () => {
    expect(schema.safeParse(body)).toEqual({ success: true, data: body });
    expect(accepts(schema, { ...body, further: 1 })).toBe(Object.keys(body).length > 0);
  });

  test("is rejected if one member is missing, null or of another type", () => {
    expect(misjudged(schema, body, ({ path, kind }) => exceptions[path]?.includes(kind) ?? false)).toEqual(
      [],
    );
  });
});

test.each(undocumented)("%s at %s accepts any body", (id, where) => {
  const bodies = [undefined, null, "", "text", 1, [], {}];

  expect(bodies.filter((body) => !accepts(schemaAt(id, where), body))).toEqual([]);
});

test("the samples cover every declared body", () => {
  const declared = operations.flatMap(({ id, responses, errorBody }) => [
    ...Object.keys(responses).map((where) => `${id} ${where}`),
    ...(errorBody ? [`${id} error`] : []),
  ]);
  const sampled = [...shown, ...undocumented].map(([id, where]) => `${id} ${where}`);

  expect(sampled.toSorted()).toEqual(declared.toSorted());
});

const envelope = (data: unknown) => ({ status: "success", message: "Found", data });

test.each([{}, { items: [] }, { reference: 1, status: null }, [], [{ id: 1 }], null])(
  "a read tolerates %j as data, although it is undocumented",
  (data) => {
    expect(accepts(ToleratedReadEnvelope, envelope(data))).toBe(true);
    expect(accepts(ReadEnvelope, envelope(data))).toBe(false);
  },
);

test("a read tolerates nothing else as data", () => {
  const others = ["text", "", 1, 0, true, false, undefined];

  expect(others.filter((data) => accepts(ToleratedReadEnvelope, envelope(data)))).toEqual([]);
});

test("a refund with further members is tolerated, and one with another type is not", () => {
  const { tolerated } = contract.refundTransaction;

  expect(accepts(tolerated, { refunded: true })).toBe(true);
  expect([[], null, "", undefined].filter((body) => accepts(tolerated, body))).toEqual([]);
});

test("error shape A has the word error in lower case, and a value of any type must be present", () => {
  const words = ["Error", "ERROR", "failed", ""];
  const body = z.object({ data: anyValue() });

  expect(words.filter((status) => accepts(ValidationError, { ...shapeA.body, status }))).toEqual([]);
  expect([null, "", 0, false, [], {}].filter((data) => !accepts(body, { data }))).toEqual([]);
  expect([{ data: undefined }, {}].filter((one) => accepts(body, one))).toEqual([]);
});
