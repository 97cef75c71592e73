import { describe, expect, test } from "vitest";
import { commandErrorOf, exampleTarget } from "../../fixtures/testing/example-target.ts";
import { formatAmount, plural } from "../../reports/wording.ts";
import { readChecklist } from "./checklist.ts";
import { describePlan, planOf, refuseOverPlan } from "./plan.ts";

const checks = readChecklist();
const BENEFICIARY = {
  BANK_CODE: "058",
  ACCOUNT_NUMBER: "0123456789",
  ACCOUNT_NAME: "Test Beneficiary",
  EMAIL_ADDRESS: "qa@example.com",
  TRANSFER_AMOUNT: "70",
};
const ALLOWED = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "1000000" };
const transfers = checks.filter(({ operation }) => operation === "createTransfer");

describe("planOf", () => {
  test("counts what conformant targets accept, at the operator's amounts", () => {
    const plan = planOf(transfers, exampleTarget({ ...BENEFICIARY, ...ALLOWED }));

    expect(plan.byOperation.map(({ id, amount }) => [id, amount])).toEqual([["createTransfer", 70]]);
    expect(plan.count).toBeGreaterThan(0);
    expect(plan.total).toBe(plan.count * 70);
  });

  test.each([
    [{}, 1000],
    [{ SUBUNITS_PER_UNIT: "1" }, 100_000],
  ])(
    "counts virtual accounts, whose amount is in the subunit, in the unit of the currency",
    (given, amount) => {
      const { byOperation } = planOf(checks, exampleTarget({ ...ALLOWED, ...given, DVA_AMOUNT: "100000" }));

      expect(byOperation.find(({ id }) => id === "initializeVirtualAccount")?.amount).toBe(amount);
    },
  );

  test("is empty without consent, without data, and for what is out of scope", () => {
    const none = { count: 0, total: 0 };
    const nothing = { ...none, least: none, most: 0, worst: none, needed: none, byOperation: [] };

    expect(planOf(transfers, exampleTarget(BENEFICIARY))).toEqual(nothing);
    expect(planOf(transfers, exampleTarget(ALLOWED))).toEqual(nothing);
    expect(
      planOf(transfers, exampleTarget({ ...BENEFICIARY, ...ALLOWED, OUT_OF_SCOPE: "createTransfer" })),
    ).toEqual(nothing);
  });

  test("holds the one accepted control that any check of a money operation needs", () => {
    const [free] = transfers.filter(({ pays }) => pays.most === 0);

    expect(planOf(free ? [free] : [], exampleTarget({ ...BENEFICIARY, ...ALLOWED })).count).toBe(1);
  });
});

describe("refuseOverPlan", () => {
  const sum = { count: 3, total: 210 };
  const plan = { ...sum, least: sum, most: 0, worst: sum, needed: sum, byOperation: [] };

  test.each([
    [{ MAX_PAYOUTS: "2" }, true],
    [{ MAX_PAYOUT_TOTAL: "209" }, true],
    [{ MAX_PAYOUTS: "3", MAX_PAYOUT_TOTAL: "210" }, false],
  ])("knows whether the plan fits %j", async (caps: Record<string, string>, refused) => {
    const target = exampleTarget({ ...ALLOWED, ...caps });
    const act = () => refuseOverPlan(plan, target);

    if (refused) expect((await commandErrorOf(act)).exitCode).toBe(3);
    else expect(act).not.toThrow();
  });
});

describe("describePlan", () => {
  test("says what would run, and what to ask for, by operation and variable", () => {
    const text = describePlan(checks, exampleTarget({ ...BENEFICIARY }));

    expect(text).toContain(`${plural(checks.length, "check")} would run against http://127.0.0.1:9`);
    expect(text).toContain("No money will move");
    expect(text).toMatch(/createQrTransaction: .*MCH_NO/);
    expect(text).toMatch(/REVOKED_KEY: .*for example/);
    // Without it, a run ends with 4.
    expect(text).toMatch(/LIVE_BASE_URL: .*\(without it, name live-host in OUT_OF_SCOPE\)/);
    const own = checks.filter(({ operation }) => operation === "createQrTransaction").length;
    expect(text).toContain(`SUB_MCH_NO (adds up to ${own} checks)`);
    expect(text).toMatch(new RegExp(`MCH_NO: .* \\(adds up to ${own} checks\\)`));
    expect(text).not.toMatch(/0123456789\b.*beneficiary|qa@example/);
  });

  test("compares what is expected, the worst case and the caps, and names the caps that would suffice", () => {
    const target = exampleTarget({ ...BENEFICIARY, ...ALLOWED, PROBE_WRITES: "true" });
    const { count, total, least, most, needed } = planOf(transfers, target);
    const text = describePlan(transfers, target);

    const totals = `${formatAmount(least.total)} to ${formatAmount(needed.total)} in total`;
    expect(text).toMatch(
      new RegExp(`^  expected +${least.count} to ${needed.count} payments +${totals}$`, "m"),
    );
    expect(text).toMatch(
      new RegExp(`^  worst case +${Math.min(most, 100)} payments +[\\d,.]+ in total$`, "m"),
    );
    expect(text).toMatch(/^ {2}cap +100 payments +1,000,000\.00 in total$/m);
    expect(text).toContain(
      `MAX_PAYOUTS=${needed.count} and MAX_PAYOUT_TOTAL=${needed.total} pay for every check but`,
    );
    expect(needed.count).toBeGreaterThan(count);
    expect(needed.total).toBeGreaterThan(total);
  });

  test("says that the embedded sandbox would be tested where nothing is configured", () => {
    expect(describePlan(checks, undefined)).toContain("Set BASE_URL and SECRET_KEY");
  });
});
