import { check, rejects } from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { oddAmounts } from "../every-operation/requests/odd-amounts.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { statusCodes } from "../every-operation/requests/writes.ts";

const ID = "createNddTransaction";
const { noun } = contract[ID];

const NINTH_FIELD = "fields of an accepted request";
check("createNddTransaction/ninth-field", NINTH_FIELD, { observe: "N21" }, async (ctx) => {
  await ctx.ordinary(ID);
  const extra = Object.keys(ctx.values.NDD_EXTRA_FIELDS ?? {}).toSorted();
  const others = extra.length > 0 ? `and ${extra.join(", ")}` : "alone";
  ctx.observe("N21", `${noun} is accepted with the eight documented fields ${others}`);
});

rejects(
  "createNddTransaction/body-empty",
  { should: "N20" },
  {
    what: "the body is an empty object",
    apart: true,
    send: (ctx) => ctx.sendInvalid(ID, {}, { bytes: "{}" }),
  },
);

const ACCOUNT_NUMBERS = "account numbers in mandateResponse";
check("createNddTransaction/account-numbers", ACCOUNT_NUMBERS, { observe: "N13" }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  // Account numbers have ten digits (NUBAN) or more.
  const shown = /(?<![\w.])\d{10,}(?![\w.])/.test(JSON.stringify(response.field("mandateResponse") ?? null));
  const what = shown ? "has a number that may be a full account number" : "shows no full account number";
  ctx.observe("N13", `mandateResponse ${what}`);
});

oddValues(ID, {
  // biome-ignore format: a table
  open: [
    ...Object.keys(contract.createNddTransaction.body.shape).map(
      (field) =>
        [`${field}-omitted`, "N20", `an NDD transaction without ${field}`, { [field]: undefined }] as const,
    ),
    ["channel-other", "N07", "an NDD transaction whose channel is not NDD", { channel: "CONFORMANCE" }],
  ],
});

oddAmounts(ID);

statusCodes(ID, "N22", "N22");
