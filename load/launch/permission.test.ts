import { describe, expect, it } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { commandErrorOf, DEPLOYMENT, exampleTarget } from "../../fixtures/testing/example-target.ts";
import { profiles, scale } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { workloads } from "../k6/traffic/workloads.ts";
import { PREPARED_TRANSFERS, transfersOf100 } from "../testing/example-load.ts";
import { type PlannedLoad, requireLength, requirePermission } from "./permission.ts";

const HOST = "sandbox.example.com";
const CONSENT = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "10000" };

/** 97 transfers, 9,700.00 in total. */
const load: PlannedLoad = {
  workload: "transfers",
  profile: profiles.average,
  prepared: PREPARED_TRANSFERS,
  calls: transfersOf100(Array.from({ length: 97 }, (_, index) => `r${index}`)),
};

const atRate = (rate: number): PlannedLoad => ({
  ...load,
  profile: scale(profiles.average, rate, undefined),
});

function permit(variables: Record<string, string>, planned = load) {
  requirePermission(exampleTarget({ BASE_URL: `https://${HOST}`, ...variables }), planned);
}

describe("requirePermission", () => {
  it("allows 20 requests per second with consent and within the caps", () => {
    expect(() => permit(CONSENT, atRate(20))).not.toThrow();
  });

  it.each([
    ["above 20 requests per second on a remote host", CONSENT, 21, `LOAD_TARGET=${HOST}`],
    [
      "if LOAD_TARGET names another host",
      { ...CONSENT, LOAD_TARGET: "example.com" },
      21,
      `LOAD_TARGET=${HOST}`,
    ],
    ["without consent to move money", {}, 20, "ALLOW_PAYOUTS=true"],
    ["above MAX_PAYOUTS", { ...CONSENT, MAX_PAYOUTS: "96" }, 20, "MAX_PAYOUTS=96"],
    ["above MAX_PAYOUT_TOTAL", { ...CONSENT, MAX_PAYOUT_TOTAL: "9699" }, 20, "MAX_PAYOUT_TOTAL=9699"],
    ["on a live deployment", { ENVIRONMENT: "live" }, 1, "ENVIRONMENT=live"],
  ])("stops a load %s with 3", async (_, variables, rate, reason) => {
    const error = await commandErrorOf(() => permit(variables, atRate(rate)));

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(reason)] });
  });

  it("says how much money the load would move", async () => {
    const error = await commandErrorOf(() => permit({}));

    expect(error.message).toContain("97 transfers, 9,700.00 in total");
  });

  it("allows more than 20 requests per second if LOAD_TARGET names the host", () => {
    expect(() => permit({ ...CONSENT, LOAD_TARGET: HOST }, atRate(500))).not.toThrow();
  });

  it("allows any rate on loopback", () => {
    expect(() => permit({ ...CONSENT, BASE_URL: "http://127.0.0.1:9" }, atRate(500))).not.toThrow();
  });

  const withoutBankCode: PlannedLoad = { ...load, prepared: { ...load.prepared, missing: ["BANK_CODE"] } };

  it.each([
    ["above the operator's RATE_LIMIT", { ...CONSENT, RATE_LIMIT: "5" }, load, "RATE_LIMIT=5"],
    ["with an operation out of scope", { ...CONSENT, OUT_OF_SCOPE: "listTransfers" }, load, "OUT_OF_SCOPE"],
    ["without its data", CONSENT, withoutBankCode, "BANK_CODE is missing"],
  ])("stops a load %s with 2", async (_, variables, planned, reason) => {
    const error = await commandErrorOf(() => permit(variables, planned));

    expect(error).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(reason)] });
  });

  it("needs no consent for the embedded sandbox", () => {
    const target = parseTarget({ embedded: true, variables: DEPLOYMENT });

    expect(() => requirePermission(target, { ...load, profile: profiles.smoke })).not.toThrow();
  });
});

describe("requireLength", () => {
  const schedule = new Schedule(workloads.transactions);

  it("stops a run that is too short to send every operation", async () => {
    const error = await commandErrorOf(() => requireLength("transactions", schedule, 3, 1000));

    expect(error).toMatchObject({
      exitCode: 2,
      problems: [expect.stringContaining("raise RATE or DURATION")],
    });
  });

  it("stops a run that is too long for its references", async () => {
    const error = await commandErrorOf(() => requireLength("transactions", schedule, 1001, 1000));

    expect(error).toMatchObject({ exitCode: 2, problems: [expect.stringContaining("1001 requests")] });
  });
});
