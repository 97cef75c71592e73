import {
  type ApiResponse,
  checksUnder,
  demand,
  demandDone,
  rejects,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { showsSameRecord } from "../disputes/same-dispute.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { observesMembers } from "../every-operation/requests/writes.ts";
import {
  accountsIn,
  needReferenceAsReason,
  responseWithoutReference,
  responseWithReference,
} from "./virtual-account.ts";

const ID = "initializeVirtualAccount";
const check = checksUnder(ID);
const { noun } = contract[ID];

const REFERENCE_OMITTED = `accepts ${noun} without reference`;
check("reference-omitted", REFERENCE_OMITTED, { must: ["R017", "R043"], pays: 1 }, async (ctx) => {
  const { accepted } = await ctx.control(ID);
  const response = await responseWithoutReference(ctx);
  if (accepted) await needReferenceAsReason(ctx, response);
  await demandDone(ctx, response, expectationOf(response, accepted));
});

const REFERENCE_GIVEN = `accepts ${noun} with a reference`;
check("reference-given", REFERENCE_GIVEN, { must: ["R017", "R043"], pays: [0, 1] }, async (ctx) => {
  const without = await responseWithoutReference(ctx);
  const response = await responseWithReference(ctx);
  await demandDone(ctx, response, expectationOf(response, without.kind === "done"));
});

check("status-true", "returns status true with 200", { should: ["R044"] }, async (ctx) => {
  const { response, notTested } = await ctx.control(ID);
  if (!response) throw notTested;
  const isFalse = response.status === 200 && response.field("status") === false;
  demand(!isFalse, response, "returned 200 with status false", "status true, or a rejection with 422");
});

const REFERENCE_REUSED = "opens no second account when a request is repeated";
check("reference-reused", REFERENCE_REUSED, { should: "G07", pays: [0, 1] }, async (ctx) => {
  const first = await ctx.ordinary(ID);
  const body = first.bodySent;
  const again = await ctx.sendTolerated(ID, { body }, { planned: true, repeats: [first] });
  ctx.observe("G07", `the same request a second time ${again.fate}`);
  const known = accountsIn(first.field("data"));
  const repeated = accountsIn(again.field("data"));
  const isComparable = again.kind === "done" && known.size > 0 && repeated.size > 0;
  const isSame = [...known].some((account) => repeated.has(account));
  const actual = "returned another account for the same reference";
  demand(!isComparable || isSame, again, actual, "the first account or 422", [first]);
});

rejects(
  "initializeVirtualAccount/reference-reused-other-amount",
  { should: "G07" },
  {
    what: "the reference was used with another amount",
    after: ({ bodySent: body }) => {
      const amount = Number(body.amount);
      return { ...body, amount: String(amount > 1 ? amount - 1 : amount + 1) };
    },
  },
);

observesMembers(ID, "data", "N23", "data");

/**
 * A rejection with 422 and shape B may be about the operator's data. Every other one is the API's fault, and so is any
 * rejection if the request with, or without, a reference was accepted.
 */
const expectationOf = (response: ApiResponse, afterAccepted: boolean) => ({
  afterAccepted,
  ownData: response.statusClass !== 2 && !response.asDocumented,
});

const LONG_ADDRESS = `${"a".repeat(288)}@example.com`;

oddValues(ID, {
  rejected: [
    ["amount-subunit-fraction", ["R042"], { amount: "100.50" }],
    ["amount-digit-grouping", ["R042"], { amount: "1,000" }],
    ["amount-exponent", ["R042"], { amount: "1e3" }],
    ["amount-hexadecimal", ["R042"], { amount: "0x10" }],
    ["amount-of-30-digits", ["R042"], { amount: "1".repeat(30) }, "amount has 30 digits"],
    ["email-malformed", ["R041", "R045"], { email: "not-an-email" }, "email is not an address"],
  ],
  // biome-ignore format: a table
  apart: [
    ["amount-negative", ["R045"], { amount: "-100" }],
    ["amount-zero", ["R045"], { amount: "0" }],
  ],
  // biome-ignore format: a table
  open: [
    ["amount-surrounding-spaces", "G02", "an amount with blanks around it", { amount: " 100 " }],
    ["email-of-300-characters", "N43", "an e-mail address of 300 characters", { email: LONG_ADDRESS }],
    ["email-plus", "N40", "an e-mail address with a plus sign", { email: "payer+tag@example.com" }],
    ["email-unicode", "N40", "an e-mail address with a non-ASCII local part", { email: "ọláìtán@example.com" }],
  ],
});

const REUSED = "shows no dispute to another merchant that opens a virtual account with its reference";
const OPENS_ACCOUNT = {
  phase: "repeats",
  critical: "G18",
  pays: [0, 1],
  probe: true,
  scope: "second-merchant",
} as const;
check("other-merchant-same-reference", REUSED, OPENS_ACCOUNT, async (ctx) => {
  const { other } = ctx;
  const control = await ctx.ordinary("getDispute");
  await ctx.ordinary(ID);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  await other.profile();
  const opened = await other.send(ID, { body: { reference: asked } });
  // An earlier run may have opened the account, so the dispute is asked for even if the API rejects another one.
  ctx.observe("G18", `a virtual account with the reference of another merchant's transaction ${opened.fate}`);
  const response = await other.send("getDispute");
  const isForeign = response.kind === "done" && showsSameRecord(control, response, asked);
  const actual = "returned the dispute of another merchant";
  demand(!isForeign, response, actual, "no record", [control, opened]);
});
