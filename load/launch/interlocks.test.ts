import { describe, expect, it } from "vitest";
import { parseTarget } from "../../fixtures/config/target.ts";
import { commandErrorOf, exampleTarget } from "../../fixtures/testing/example-target.ts";
import { profiles, scale } from "../k6/profiles.ts";
import { Schedule } from "../k6/schedule.ts";
import { workloads } from "../k6/workloads.ts";
import { refuseLength, refuseUnasked } from "./interlocks.ts";

const HOST = "sandbox.example.com";
const CONSENT = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "10000" };
const prepared = { templates: {}, stakes: new Map(), missing: [] };
const money = { count: 97, total: 9700 };

/** What a load of transfers is refused with; `undefined` when it may start. */
async function refused(variables: Record<string, string>, rate?: number, planned = money, draft = prepared) {
  const target = exampleTarget({ BASE_URL: `https://${HOST}`, ...variables });
  const profile = scale(profiles.average, rate, undefined);
  const act = () => refuseUnasked(target, "transfers", profile, draft, planned);
  return commandErrorOf(act).catch(() => undefined);
}

describe("a load", () => {
  it("starts with consent, within the caps, at 20 requests per second", async () => {
    expect(await refused(CONSENT)).toBeUndefined();
  });

  it.each([
    ["above 20 requests per second off loopback", CONSENT, 21, `LOAD_TARGET=${HOST}`],
    [
      "for another host than it was allowed for",
      { ...CONSENT, LOAD_TARGET: "example.com" },
      21,
      `LOAD_TARGET=${HOST}`,
    ],
    ["without consent to move money", {}, 20, "ALLOW_PAYOUTS=true"],
    ["beyond MAX_PAYOUTS", { ...CONSENT, MAX_PAYOUTS: "96" }, 20, "MAX_PAYOUTS=96"],
    ["beyond MAX_PAYOUT_TOTAL", { ...CONSENT, MAX_PAYOUT_TOTAL: "9699" }, 20, "MAX_PAYOUT_TOTAL=9699"],
    ["on a live deployment", { ENVIRONMENT: "live" }, 1, "ENVIRONMENT=live"],
  ])("%s is refused with 3", async (_, variables, rate, reason) => {
    const refusal = await refused(variables, rate);

    expect(refusal).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(reason)] });
  });

  it("above 20 requests per second is allowed by naming the host", async () => {
    expect(await refused({ ...CONSENT, LOAD_TARGET: HOST }, 500)).toBeUndefined();
  });

  it("is free in its rate on loopback", async () => {
    expect(await refused({ ...CONSENT, BASE_URL: "http://127.0.0.1:9" }, 500)).toBeUndefined();
  });

  it.each([
    ["above the operator's own RATE_LIMIT", { ...CONSENT, RATE_LIMIT: "5" }, prepared, "RATE_LIMIT=5"],
    ["of an operation out of scope", { ...CONSENT, OUT_OF_SCOPE: "listTransfers" }, prepared, "OUT_OF_SCOPE"],
    ["without its data", CONSENT, { ...prepared, missing: ["BANK_CODE" as const] }, "BANK_CODE is missing"],
  ])("%s is refused with 2", async (_, variables, draft, reason) => {
    const refusal = await refused(variables, 20, money, draft as typeof prepared);

    expect(refusal).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(reason)] });
  });

  it("of the embedded sandbox needs no consent", async () => {
    const variables = { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "sk_test_0123456789abcdef" };
    const target = parseTarget({ embedded: true, variables });

    expect(() => refuseUnasked(target, "transfers", profiles.smoke, prepared, money)).not.toThrow();
  });
});

describe("the length of a load", () => {
  const schedule = new Schedule(workloads.transactions);

  it("reaches every operation of its workload", async () => {
    const refusal = await commandErrorOf(() => refuseLength("transactions", schedule, 3, 1000));

    expect(refusal).toMatchObject({
      exitCode: 2,
      problems: [expect.stringContaining("raise RATE or DURATION")],
    });
  });

  it("is no longer than its references can number", async () => {
    const refusal = await commandErrorOf(() => refuseLength("transactions", schedule, 1001, 1000));

    expect(refusal).toMatchObject({ exitCode: 2, problems: [expect.stringContaining("1001 requests")] });
  });
});
