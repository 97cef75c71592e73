import { describe, expect, it } from "vitest";
import { commandErrorOf, exampleTarget } from "../../fixtures/testing/example-target.ts";
import { Mix } from "../inputs/mix.ts";
import { Schedule } from "../k6/requests.ts";
import { everythingFor } from "./everything.ts";

const MONEY = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10", MAX_PAYOUT_TOTAL: "100" };
const QR = { CUSTOMER_ID: "1", PLAN_ID: "2", QR_CHANNEL: "QR", MCH_NO: "M", SUB_MCH_NO: "S" };

const sentBy = (variables: Record<string, string>) => {
  const everything = everythingFor(exampleTarget(variables));
  const names = everything.steps.map(({ operation, refusal = "" }) => `${operation} ${refusal}`);
  return { ...everything, sent: [...new Set(names.map((name) => name.trim()))].toSorted() };
};

const UNPRIVILEGED =
  "checkCustomLink, getProfile, initializeVirtualAccount email-missing, listCustomers, listDiscountCodes, listRecipients, listTransfers, refundTransaction transaction-unknown".split(
    ", ",
  );

describe("the default workload", () => {
  it("sends reads and rejections without any permission or data, and says what each other operation lacks", () => {
    const { sent, leftOut } = sentBy({});

    expect(sent).toEqual(UNPRIVILEGED);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        "createQrTransaction: set ALLOW_PAYOUTS=true, CUSTOMER_ID, PLAN_ID, QR_CHANNEL, MCH_NO and SUB_MCH_NO",
        "initializeVirtualAccount: set ALLOW_PAYOUTS=true",
        "getDispute: set DISPUTE_TRANSACTION_REF",
      ]),
    );
  });

  it("sends what permissions and data allow, and nothing that is out of scope; a smoke run is long enough for it", () => {
    const OUT_OF_SCOPE = "listRecipients,createNddTransaction";
    const { sent, steps, leftOut } = sentBy({ ...MONEY, ...QR, OUT_OF_SCOPE });

    const others = UNPRIVILEGED.filter((name) => name !== "listRecipients");
    expect(sent).toEqual([...others, "createQrTransaction", "initializeVirtualAccount"].toSorted());
    expect(leftOut.join("\n")).not.toMatch(/^createNddTransaction/m);
    // A run file holds them.
    expect(Mix.parse(steps)).toEqual(steps);
    expect(new Schedule(steps).minIterations).toBeLessThan(60);
  });

  it("is refused if nothing is in scope", async () => {
    const OUT_OF_SCOPE = UNPRIVILEGED.map((name) => name.split(" ")[0]).join();

    expect(await commandErrorOf(() => sentBy({ OUT_OF_SCOPE }))).toMatchObject({ exitCode: 2 });
  });
});
