import { type CheckContext, checksUnder, demand } from "../../fixtures/engine/vocabulary.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { oddAmounts, oddValues } from "../every-operation/requests/odd-values.ts";
import { takesOptionalFields } from "../every-operation/requests/writes.ts";

const ID = "createQrTransaction";
const check = checksUnder(ID);

const CODE_URL_NOT_EMPTY = "returns a CodeUrl that is not empty";
check("code-url-not-empty", CODE_URL_NOT_EMPTY, { should: ["R029", "R030"] }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const url = response.field("CodeUrl");
  const isEmpty = typeof url === "string" && url.trim() === "";
  demand(!isEmpty, response, `${response.outcome} with an empty CodeUrl`, "the QR payload");
});

oddValues(ID, {
  rejected: [
    ["customerId-unknown", "N40", { customerId: UNKNOWN_ID }, "no customer has this customerId"],
    ["planId-unknown", "N40", { planId: UNKNOWN_ID }, "no plan has this planId"],
  ],
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
