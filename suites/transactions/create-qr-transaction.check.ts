import { type CheckContext, checksUnder, demand } from "../../fixtures/engine/vocabulary.ts";
import { TransactionFailure } from "../../schemas/bodies.ts";
import { fieldDefect, rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { oddAmounts } from "../every-operation/requests/odd-amounts.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { takesOptionalFields } from "../every-operation/requests/writes.ts";
import { responseToDefect } from "../every-operation/requests.ts";

const ID = "createQrTransaction";
const check = checksUnder(ID);
const { noun } = contract[ID];

const CODE_URL_NOT_EMPTY = "returns a CodeUrl that is not empty";
check("code-url-not-empty", CODE_URL_NOT_EMPTY, { should: ["R029", "R030"] }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const url = response.field("CodeUrl");
  const isEmpty = typeof url === "string" && url.trim() === "";
  demand(!isEmpty, response, `${response.outcome} with an empty CodeUrl`, "the QR payload");
});

check("vocabulary", "word in ReturnCode and form of CodeUrl", { observe: "G22" }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const word = JSON.stringify(response.field("ReturnCode"));
  ctx.observe("G22", `ReturnCode of an accepted QR transaction is ${word}`);
  ctx.observe("G22", `CodeUrl is ${formOf(response.field("CodeUrl"))}`);
});

const ERROR_BODY_NOT_IN_200 = "does not return the error body with 200";
check("error-body-not-in-200", ERROR_BODY_NOT_IN_200, { must: ["R031", "R111"] }, async (ctx) => {
  const response = await responseToDefect(ctx, ID, fieldDefect("amount", undefined));
  const isWrong = response.status === 200 && TransactionFailure.safeParse(response.json).success;
  demand(!isWrong, response, "returned 200 with the error body although amount is missing", "400");
});

for (const thing of ["customer", "plan"]) {
  const what = `no ${thing} has this ${thing}Id`;
  const title = rejectionTitle(noun, what);
  check(`${thing}Id-unknown`, title, { should: "N40" }, async (ctx) => {
    const response = await ctx.sendTolerated(ID, { body: { [`${thing}Id`]: UNKNOWN_ID } });
    const { kind, outcome, fate } = response;
    demand(kind === "rejected" || kind === "crashed", response, `${outcome} although ${what}`, "a rejection");
    if (kind === "rejected") ctx.observe("N40", `${noun} with an unknown ${thing}Id ${fate}`);
  });
}

/** EMVCo codes begin with the payload format indicator 000201. */
function formOf(payload: unknown): string {
  if (typeof payload !== "string") return "not text";
  if (payload.startsWith("000201")) return "an EMV merchant code";
  return URL.canParse(payload) ? "a URL" : "neither a URL nor an EMV merchant code";
}

oddValues(ID, {
  // biome-ignore format: a table
  open: [
    ["fees-negative", "G02", "a QR transaction with fees of -1", { fees: -1 }],
    ["fees-above-amount", "G02", "a QR transaction with fees above its amount", feesAboveAmount],
    ["channel-unknown", "N07", "a QR transaction with an invented channel", { channel: "CONFORMANCE" }],
    ["ip-address-invalid", "N40", "a QR transaction whose ipAddress is not an IP address", { ipAddress: "not an ip" }],
  ],
});

function feesAboveAmount({ values }: CheckContext) {
  return { fees: (values.TRANSACTION_AMOUNT ?? 100) * 2 };
}

oddAmounts(ID);

takesOptionalFields(ID, ["R005", "R028"]);
