import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  check,
  demand,
  demandOptionalFields,
  demandRejected,
  membersOf,
  rejects,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { listed } from "../../../reports/wording.ts";
import { fieldDefect } from "../../../schemas/changes.ts";
import { contract } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { responseToDefect } from "../requests.ts";

const NO_AMOUNT = fieldDefect("amount", undefined);

// Payments whose status codes are undocumented.
for (const [id, item, rules] of [
  ["createCardTransaction", "N19", "N19"],
  ["createNddTransaction", "N22", "N22"],
  ["createTransfer", "N31", ["R086"]],
] as const) {
  const { noun, success }: Operation = contract[id];
  const { has = "" } = success;

  const codes = `status codes for ${noun}, accepted and rejected`;
  check(`${id}/status-codes`, codes, { observe: item }, async (ctx) => {
    const success = await ctx.ordinary(id);
    ctx.observe(item, `an accepted request returns ${success.status}`);
    const response = await responseToDefect(ctx, id, NO_AMOUNT);
    if (!response.failure) ctx.observe(item, `a request without amount returns ${response.status}`);
  });

  // Clients would take a rejection with an identifier for a success.
  const without = `returns no ${has} when it refuses ${noun}`;
  check(`${id}/refusal-without-identifier`, without, { should: rules }, async (ctx) => {
    const response = await responseToDefect(ctx, id, NO_AMOUNT);
    const isWrong = response.identifier !== undefined && (await isRejection(ctx, response));
    demand(!isWrong, response, `${response.outcome} with ${has}`, "a rejection without an identifier");
  });
}

/** Whether a payment without amount was rejected, recorded or not; other checks judge a payment that was carried out. */
async function isRejection(ctx: CheckContext, response: ApiResponse): Promise<boolean> {
  if (!response.is2xx) return true;
  try {
    await demandRejected(ctx, response, NO_AMOUNT);
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

for (const [id, must] of [
  ["createQrTransaction", ["R005", "R028"]],
  ["createCardTransaction", ["R034"]],
  ["createTransfer", ["R084"]],
  ["createDiscountCode", ["R014", "R093"]],
] as const) {
  const { noun, effect, optional }: Operation = contract[id];
  const isPaid = effect === "money";
  const fields = isPaid ? listed(Object.keys(optional ?? {})) : "every optional field";
  const options: CheckOptions = { must, ...(isPaid && { pays: 1 }) };
  check(`${id}/optional-fields`, `accepts ${noun} with ${fields}`, options, (ctx) => {
    if (id === "createDiscountCode") ctx.need("PRODUCT_ID");
    return demandOptionalFields(ctx, id);
  });
}

// A second record cannot have the same link or code.
for (const [id, field, rules] of [
  ["createPaymentPage", "customLink", "N40"],
  ["createDiscountCode", "code", "practice"],
] as const)
  rejects(
    `${id}/${field}-repeated`,
    { should: rules },
    { what: `the ${field} is taken`, after: (first) => ({ [field]: first.fieldSent(field) }) },
  );

for (const [id, name, item, field, what] of [
  ["createPaymentPage", "record", "N06", "data", "data of a payment page"],
  ["createDiscountCode", "record", "N05", "data", "data of a discount code"],
  ["createCardTransaction", "payment-details", "N13", "paymentDetails", "paymentDetails"],
] as const)
  check(`${id}/${name}`, `members of ${what}`, { observe: item }, async (ctx) => {
    const response = await ctx.ordinary(id);
    ctx.observe(item, `${what} is ${membersOf(response.field(field))}`);
  });
