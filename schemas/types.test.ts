import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { contract, type RequestOf, type SuccessOf } from "./contract.ts";
import { operation } from "./operation.ts";

test("types the request and the success of an operation as section 4 documents them", () => {
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
  expectTypeOf<RequestOf<"addSplitSubaccount">["path"]>().toEqualTypeOf<{ id: number }>();
  // @ts-expect-error "Paid" is not one of the six values of section 3
  const wrong: RequestOf<"listTransfers">["query"] = { limit: 1, page: 1, status: "Paid" };

  expect(contract.listTransfers.query.safeParse(wrong).success).toBe(false);
  expectTypeOf<SuccessOf<"addSplitSubaccount">>().toEqualTypeOf<{ share: number; subaccount: string }>();
  expectTypeOf<SuccessOf<"createTransfer">["transactionId"]>().toBeString();
  expectTypeOf<SuccessOf<"getProfile">>().toBeUnknown();
});

test("compiles no operation with an unknown property, method, section or requirement, or without an effect", () => {
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
  const { effect: _, ...effectless } = valid;
  const wrong = [
    // @ts-expect-error `tollerated` is misspelt and would be ignored
    operation({ ...valid, tollerated: z.any() }),
    // @ts-expect-error the API has no DELETE
    operation({ ...valid, endpoint: "DELETE /thing" }),
    // @ts-expect-error all operations are in section 4
    operation({ ...valid, section: "5.1" }),
    // @ts-expect-error there is no R000
    operation({ ...valid, requirements: { success: ["R000"] } }),
    // @ts-expect-error every operation says what it does to the deployment
    operation(effectless),
  ];

  expect(wrong).toHaveLength(5);
  expectTypeOf(operation(valid).route).toEqualTypeOf<"/api/thing-service/external/v1/thing">();
});
