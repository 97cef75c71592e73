import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEPLOYMENT, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { load } from "./main.ts";
import { optionsFrom, planOf } from "./plan.ts";

const HOST = "sandbox.example.com";
const PAYEE = {
  BANK_CODE: "058",
  ACCOUNT_NUMBER: "0123456789",
  ACCOUNT_NAME: "Test",
  TRANSFER_AMOUNT: "100",
};
const REMOTE = { ...DEPLOYMENT, BASE_URL: `https://${HOST}`, EMAIL_ADDRESS: "qa@example.com", ...PAYEE };
const PAYING = { ...REMOTE, ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "20000" };
const { BANK_CODE: _, ...WITHOUT_BANK } = PAYING;
/** 98 transfers. */
const SMOKE = ["transfers", "--profile", "smoke"];
const AVERAGE = ["readers", "--profile", "average"];

test.each<[string, string, readonly string[], Record<string, string>?, number?]>([
  ["without a profile", "--profile is missing", ["transfers"]],
  [
    "of an unknown workload",
    "unknown workload: gatewy (did you mean gateway?); expected one of everything, transactions, transfers, qr, card, dva, ndd, gateway, readers",
    ["gatewy", "--profile", "smoke"],
  ],
  [
    "in an unknown profile",
    "expected one of smoke, average, stress, spike, soak, breakpoint",
    ["transfers", "--profile", "peak"],
  ],
  [
    "of a workload and a mix",
    "workload transfers and --mix m.json are both given",
    [...SMOKE, "--mix", "m.json"],
  ],
  ["of two workloads", "unexpected argument transfers", ["qr", ...SMOKE]],
  ["that no runner sends", "from 1 to 1000", ["prepare", ...AVERAGE, "--runners", "0"], REMOTE],
  ["of the embedded sandbox by others", "prepare needs a deployment", ["prepare", ...AVERAGE]],
  ["by runners of this machine", "Unknown option '--runners'", [...AVERAGE, "--runners", "2"]],
  ["merged without a folder", "usage: npm run load -- merge <run folder>", ["merge"]],
  ["compared with nothing", "usage: npm run load -- compare <base>", ["compare", "reports/base"]],
  ["reconciled without its file", "none/run.json cannot be read", ["reconcile", "none"], REMOTE],
  ["above RATE_LIMIT", "RATE_LIMIT=5: set RATE to 5", AVERAGE, { ...REMOTE, RATE_LIMIT: "5" }],
  ["of what is out of scope", "OUT_OF_SCOPE excludes", AVERAGE, { ...REMOTE, OUT_OF_SCOPE: "listTransfers" }],
  ["without its data", "BANK_CODE is missing", SMOKE, WITHOUT_BANK],
  ["too short for it", "raise RATE or DURATION", ["gateway", ...SMOKE.slice(1)], { RATE: "1" }],
  ["too long for its references", "36000000 requests", AVERAGE, { RATE: "10000", DURATION: "1h" }],
  ["faster than without consent", `set LOAD_TARGET=${HOST}`, AVERAGE, { ...REMOTE, RATE: "21" }, 3],
  [
    "with consent to another host",
    `LOAD_TARGET=${HOST}`,
    AVERAGE,
    { ...REMOTE, RATE: "21", LOAD_TARGET: "example.com" },
    3,
  ],
  ["of money without consent", "(98 transfers, 9,800.00", SMOKE, REMOTE, 3],
  ["above MAX_PAYOUTS", "MAX_PAYOUTS=97", SMOKE, { ...PAYING, MAX_PAYOUTS: "97" }, 3],
  ["above MAX_PAYOUT_TOTAL", "MAX_PAYOUT_TOTAL=9799", SMOKE, { ...PAYING, MAX_PAYOUT_TOTAL: "9799" }, 3],
  ["on a live deployment", "ENVIRONMENT=live", AVERAGE, { ...REMOTE, ENVIRONMENT: "live" }, 3],
])("a load %s is refused", async (_, problem, argv, env, expected = 2) => {
  const { code, stdout, stderr, folder } = await invoke(load, argv, env);

  expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({
    code: expected,
    stdout: "",
    lines: 2,
  });
  expect(stderr).toContain(problem);
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, readonly string[], Record<string, string>?]>([
  ["Workload everything", ["--profile", "smoke"]],
  ["This run would move money: 98 transfers, 9,800.00", SMOKE],
  ["This run would move money: 98 transfers, 9,800.00", SMOKE, PAYING],
  ["No money will move.", AVERAGE, { ...REMOTE, RATE: "500", LOAD_TARGET: HOST }],
  ["up to 500 per second", ["readers", "--profile", "breakpoint"], { ...DEPLOYMENT, RATE: "500" }],
])("a dry run sends nothing, and says %j", async (says, argv, env) => {
  const { code, stdout, stderr, folder } = await invoke(load, [...argv, "--dry-run"], env);

  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining(says), stderr: "" });
  expect(readdirSync(folder)).toEqual([]);
});

/** The objectives of a load with this content of the file that SLO names. */
function objectivesIn(slo: object) {
  const SLO = join(temporaryFolder(), "slo.json");
  // Some editors of Windows begin a file with a mark.
  writeFileSync(SLO, `\ufeff${JSON.stringify(slo)}`);
  const values = { profile: "average", out: "", "dry-run": true };
  return planOf(optionsFrom(["readers"], values), exampleTarget({ SLO })).run.objectives;
}

test("the objectives of a load are those of the file that SLO names", () => {
  const objectives = { latency: { createTransfer: { p99: 1000 } }, technicalFailures: 0.001 };

  expect(objectivesIn(objectives)).toEqual(objectives);
  // It may be meant as 1 %.
  expect(() => objectivesIn({ technicalFailures: 1 })).toThrow(/^SLO: .*slo\.json.*1 % is 0\.01/);
});
