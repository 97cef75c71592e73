import { rejects } from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { oddAmounts, oddValues } from "../every-operation/requests/odd-values.ts";
import { statusCodes } from "../every-operation/requests/writes.ts";

const ID = "createNddTransaction";

rejects(
  "createNddTransaction/body-empty",
  { should: "N20" },
  {
    what: "the body is an empty object",
    apart: true,
    send: (ctx) => ctx.sendInvalid(ID, {}, { bytes: "{}" }),
  },
);

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
