import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import {
  commandErrorOf,
  DEPLOYMENT,
  exampleTarget,
  temporaryFolder,
} from "../../fixtures/testing/example-target.ts";
import { operations } from "../../schemas/contract.ts";
import { profiles, scale } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { workloads } from "../k6/traffic/workloads.ts";
import { PREPARED_TRANSFERS, transfersOf100 } from "../testing/example-load.ts";
import { readObjectives, requireLength, requirePermission } from "./plan.ts";

const HOST = "sandbox.example.com";
const CONSENT = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "10000" };
const SANDBOX = parseTarget({ embedded: true, variables: DEPLOYMENT });

/** 97 transfers, 9,700.00 in total. */
const load = {
  workload: "transfers",
  profile: profiles.average,
  prepared: PREPARED_TRANSFERS,
  calls: transfersOf100(Array.from({ length: 97 }, (_, index) => `r${index}`)),
};

function permit(variables: Record<string, string>, rate = 20, change: Partial<typeof load> = {}) {
  const target = exampleTarget({ BASE_URL: `https://${HOST}`, ...variables });
  requirePermission(target, { ...load, profile: scale(profiles.average, rate, undefined), ...change });
}

describe("a load is allowed", () => {
  it.each([
    ["20 requests per second with consent and within the caps", CONSENT, 20],
    ["more with consent to that", { ...CONSENT, LOAD_TARGET: HOST }, 500],
    ["any rate on loopback", { ...CONSENT, BASE_URL: "http://127.0.0.1:9" }, 500],
  ])("%s", (_, variables, rate) => {
    expect(() => permit(variables, rate)).not.toThrow();
  });

  it("on the embedded sandbox without consent", () => {
    expect(() => requirePermission(SANDBOX, { ...load, profile: profiles.smoke })).not.toThrow();
  });

  it.each([
    ["above 20 requests per second on a remote host", CONSENT, 21, `LOAD_TARGET=${HOST}`],
    [
      "if LOAD_TARGET names another host",
      { ...CONSENT, LOAD_TARGET: "example.com" },
      21,
      `LOAD_TARGET=${HOST}`,
    ],
    [
      "without consent to move money",
      {},
      20,
      "(97 transfers, 9,700.00 in total) and needs your consent: set ALLOW_PAYOUTS=true",
    ],
    ["above MAX_PAYOUTS", { ...CONSENT, MAX_PAYOUTS: "96" }, 20, "MAX_PAYOUTS=96"],
    ["above MAX_PAYOUT_TOTAL", { ...CONSENT, MAX_PAYOUT_TOTAL: "9699" }, 20, "MAX_PAYOUT_TOTAL=9699"],
    ["on a live deployment", { ENVIRONMENT: "live" }, 1, "ENVIRONMENT=live"],
  ])("but not %s: 3", async (_, variables, rate, reason) => {
    const error = await commandErrorOf(() => permit(variables, rate));

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(reason)] });
  });

  const withoutBankCode = { prepared: { ...load.prepared, missing: ["BANK_CODE"] as const } };
  const length = (iterations: number) => () =>
    requireLength("transactions", new Schedule(workloads.transactions), iterations, 1000);

  it.each<[string, () => void, string]>([
    ["above the operator's RATE_LIMIT", () => permit({ ...CONSENT, RATE_LIMIT: "5" }), "RATE_LIMIT=5"],
    [
      "with an operation out of scope",
      () => permit({ ...CONSENT, OUT_OF_SCOPE: "listTransfers" }),
      "OUT_OF_SCOPE",
    ],
    ["without its data", () => permit(CONSENT, 20, withoutBankCode), "BANK_CODE is missing"],
    ["too short to send every operation", length(3), "raise RATE or DURATION"],
    ["too long for its references", length(1001), "1001 requests"],
  ])("but not %s: 2", async (_, act, reason) => {
    const error = await commandErrorOf(act);

    expect(error).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(reason)] });
  });
});

describe("the objectives of a load", () => {
  const read = (text: string) => {
    const path = join(temporaryFolder(), "slo.json");
    writeFileSync(path, text);
    return readObjectives(exampleTarget({ SLO: path }));
  };

  it("are those of the file that SLO names, if there is one", () => {
    const objectives = { latency: { createTransfer: { p99: 1000 } }, serverErrors: 0.001 };

    expect(read(JSON.stringify(objectives))).toEqual(objectives);
    expect(readObjectives(exampleTarget())).toBeUndefined();
  });

  it("are given for operations of the embedded sandbox", () => {
    const { latency = { none: {} } } = readObjectives(SANDBOX) ?? {};

    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(latency)));
  });

  it.each([
    ["an unknown operation", '{"latency":{"createPayment":{"p95":1}}}'],
    ["an unknown percentile", '{"latency":{"createTransfer":{"p75":1}}}'],
    ["a share above one", '{"serverErrors":5}'],
    ["text that is not JSON", "{"],
  ])("stop the command with 2 and one line for %s", async (_, text) => {
    expect(await commandErrorOf(() => read(text))).toMatchObject({
      exitCode: 2,
      problems: [expect.stringMatching(/^SLO: .*slo\.json.*$/)],
    });
  });
});
