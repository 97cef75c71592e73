import { describe, expect, it } from "vitest";
import { commandErrorOf, exampleTarget } from "../../fixtures/testing/example-target.ts";
import { Mix } from "../inputs/mix.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { everythingFor } from "./everything.ts";

const MONEY = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10", MAX_PAYOUT_TOTAL: "100" };
const QR = { CUSTOMER_ID: "1", PLAN_ID: "2", QR_CHANNEL: "QR", MCH_NO: "M", SUB_MCH_NO: "S" };

const sentBy = (variables: Record<string, string>) => {
  const everything = everythingFor(exampleTarget(variables));
  return { ...everything, sent: new Set(everything.steps.map(({ operation }) => operation)) };
};

describe("the default workload", () => {
  it("sends reads and rejections without any permission or data, and says what each other operation lacks", () => {
    const { steps, sent, around, leftOut } = sentBy({});

    expect([...sent].toSorted()).toEqual([
      "checkCustomLink",
      "getDispute",
      "getProfile",
      "initializeVirtualAccount",
      "listCustomers",
      "listDiscountCodes",
      "listPageProducts",
      "listRecipients",
      "listTransfers",
      "refundTransaction",
    ]);
    expect(steps.filter(({ operation }) => operation === "initializeVirtualAccount")).toMatchObject([
      { refusal: "email-missing" },
    ]);
    expect(steps.filter(({ operation }) => operation === "getDispute")).toMatchObject([{ names: "unknown" }]);
    expect(around).toEqual([]);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        "createQrTransaction: set ALLOW_PAYOUTS=true, CUSTOMER_ID, PLAN_ID, QR_CHANNEL, MCH_NO and SUB_MCH_NO",
        "initializeVirtualAccount: set ALLOW_PAYOUTS=true (only requests that it may reject are sent)",
        "checkCustomLink with a link that a page has: set EXISTING_CUSTOM_LINK",
        "createPaymentPage: set ALLOW_CREATE=true and PAGE_TYPE",
      ]),
    );
  });

  it("sends what permissions and data allow, and nothing that is out of scope", () => {
    const { sent, around, leftOut } = sentBy({
      ...MONEY,
      ...QR,
      ALLOW_CREATE: "true",
      PAGE_TYPE: "Product",
      OUT_OF_SCOPE: "listRecipients,createNddTransaction",
    });

    expect(sent).toContain("createQrTransaction");
    expect(sent).not.toContain("createTransfer");
    expect(sent).not.toContain("createNddTransaction");
    expect(sent).not.toContain("listRecipients");
    expect(around).toEqual(["createPaymentPage"]);
    expect(leftOut.join("\n")).not.toMatch(/^createNddTransaction/m);
    expect(leftOut.at(-1)).toBe("listRecipients and createNddTransaction: out of scope");
  });

  it("is a mix that a run file may hold, and a smoke run is long enough for it", () => {
    const { steps } = sentBy({ ...MONEY, ...QR, PAGE_ID: "1", EXISTING_CUSTOM_LINK: "spring-sale" });

    expect(Mix.parse(steps)).toEqual(steps);
    expect(new Schedule(steps).minIterations).toBeLessThan(60);
  });

  it("is refused if nothing is in scope", async () => {
    const OUT_OF_SCOPE = [...sentBy({}).sent].join(",");

    expect(await commandErrorOf(() => sentBy({ OUT_OF_SCOPE }))).toMatchObject({ exitCode: 2 });
  });
});
