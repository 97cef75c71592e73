import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { contract, type OperationId, type RequestOf, type SuccessOf } from "./contract.ts";
import type { OpenItemId } from "./open-items.ts";
import { operation } from "./operation.ts";
import type { RequirementId } from "./requirements.ts";

const valid = {
  id: "readThing",
  endpoint: "GET /api/thing-service/external/v1/thing",
  section: "4.1",
  summary: "Thing",
  noun: "a thing",
  effect: "read",
  ordinary: {},
  responses: { 200: z.object({ name: z.string() }) },
  requirements: { success: ["R001"] },
} as const;

describe("the request type of an operation", () => {
  test("has the required and optional body fields of a transfer, and no other part", () => {
    const body: RequestOf<"createTransfer">["body"] = {
      amount: 500,
      bankCode: "001",
      accountNumber: "0001112223",
      accountName: "Ada",
      emailAddress: "payee@example.com",
      transferReference: "ref-1",
    };

    expect(contract.createTransfer.body.parse(body)).toEqual(body);
    expectTypeOf<RequestOf<"createTransfer">["body"]>().toEqualTypeOf<{
      amount: number;
      bankCode: string;
      bankName?: string | undefined;
      accountNumber: string;
      accountName: string;
      emailAddress: string;
      transferNote?: string | undefined;
      transferReference: string;
    }>();
    expectTypeOf<RequestOf<"createTransfer">["path"]>().toEqualTypeOf<undefined>();
    expectTypeOf<RequestOf<"createTransfer">["query"]>().toEqualTypeOf<undefined>();
  });

  test("limits the status filter of transfers to the documented values", () => {
    const query: RequestOf<"listTransfers">["query"] = { limit: 1, page: 1, status: "Unverified" };
    // @ts-expect-error "Paid" is not one of the six values of section 3
    const wrong: RequestOf<"listTransfers">["query"] = { limit: 1, page: 1, status: "Paid" };

    expect(contract.listTransfers.query.parse(query)).toEqual(query);
    expect(contract.listTransfers.query.safeParse(wrong).success).toBe(false);
  });

  test("has a path and a body if section 4 documents both", () => {
    expect(contract.addSplitSubaccount.route).toContain("{id}");
    expectTypeOf<RequestOf<"addSplitSubaccount">["path"]>().toEqualTypeOf<{ id: number }>();
    expectTypeOf<RequestOf<"addSplitSubaccount">["body"]>().toEqualTypeOf<{
      shere?: number | undefined;
      sub_account_id?: string | undefined;
    }>();
  });

  test("has no parts for the profile", () => {
    const request: RequestOf<"getProfile"> = {};
    // @ts-expect-error the profile takes no body
    const wrong: RequestOf<"getProfile"> = { body: {} };

    expect([request, wrong]).toHaveLength(2);
  });

  test("requires the required fields", () => {
    // @ts-expect-error section 4.17 requires page
    const query: RequestOf<"listCustomers">["query"] = { limit: 1 };

    expect(contract.listCustomers.query.safeParse(query).success).toBe(false);
  });
});

describe("the success type of an operation", () => {
  test("is the body of the success status", () => {
    expect(contract.addSplitSubaccount.success.status).toBe(201);
    expectTypeOf<SuccessOf<"addSplitSubaccount">>().toEqualTypeOf<{ share: number; subaccount: string }>();
    expectTypeOf<SuccessOf<"createQrTransaction">["transaction_id"]>().toBeNumber();
    expectTypeOf<SuccessOf<"listTransfers">["data"]>().toExtend<{ reference: string; status: string }>();
    expectTypeOf<SuccessOf<"createPaymentPage">["data"]["reference"]>().toBeString();
    expectTypeOf<SuccessOf<"refundTransaction">>().toEqualTypeOf<Record<string, never>>();
  });

  test("is the only success body if the status codes are undocumented", () => {
    expect(contract.createTransfer.success.status).toBe("2xx");
    expectTypeOf<SuccessOf<"createTransfer">>().toEqualTypeOf<{
      status: string;
      transactionId: string;
      message: string;
    }>();
    expectTypeOf<SuccessOf<"createNddTransaction">["transactionIdForSessionForSession"]>().toBeNumber();
    expectTypeOf<
      SuccessOf<"createCardTransaction">["paymentDetails"]
    >().toEqualTypeOf<NonNullable<unknown> | null>();
    expectTypeOf<SuccessOf<"getProfile">>().toBeUnknown();
  });
});

describe("the declaration of an operation", () => {
  test("keeps method and path as literal types", () => {
    const declared = operation(valid);

    expect([declared.method, declared.route]).toEqual(["GET", "/api/thing-service/external/v1/thing"]);
    expectTypeOf(declared.method).toEqualTypeOf<"GET">();
    expectTypeOf(declared.route).toEqualTypeOf<"/api/thing-service/external/v1/thing">();
    expectTypeOf(declared.id).toEqualTypeOf<"readThing">();
    expectTypeOf(contract.updateSubscription.method).toEqualTypeOf<"PUT">();
  });

  test("does not compile with an unknown property", () => {
    // @ts-expect-error `tollerated` is misspelt and would be ignored
    const declared = operation({ ...valid, tollerated: z.any() });

    expect(declared.method).toBe("GET");
  });

  test("does not compile with a method, section or requirement that does not exist", () => {
    // @ts-expect-error the API has no DELETE
    const deleting = operation({ ...valid, endpoint: "DELETE /thing" });
    // @ts-expect-error all operations are in section 4
    const misplaced = operation({ ...valid, section: "5.1" });
    // @ts-expect-error there is no R000
    const unfounded = operation({ ...valid, requirements: { success: ["R000"] } });

    expect([deleting, misplaced, unfounded].map(({ id }) => id)).toEqual([
      "readThing",
      "readThing",
      "readThing",
    ]);
  });

  test("does not compile without an effect", () => {
    const { effect: _, ...effectless } = valid;
    // @ts-expect-error every operation says what it does to the deployment
    const declared = operation(effectless);

    expect(declared.route).toBe("/api/thing-service/external/v1/thing");
  });

  test("does not compile under a key other than its id", () => {
    // @ts-expect-error the key says getProfile, the operation listCustomers
    const swapped = { getProfile: contract.listCustomers } satisfies { getProfile: { id: "getProfile" } };

    expect(swapped.getProfile.id).toBe("listCustomers");
  });
});

test("accepts only existing ids", () => {
  const ids: [OperationId, RequirementId, OpenItemId] = ["getDispute", "R114", "G22"];
  // @ts-expect-error none of the three exists
  const wrong: [OperationId, RequirementId, OpenItemId] = ["deleteDispute", "R115", "G23"];

  expect(ids).not.toEqual(wrong);
});
