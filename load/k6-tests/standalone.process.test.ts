import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { faults } from "../../fixtures/sandbox/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { holdsLiveKey } from "../../reports/text/live-keys.ts";
import { standaloneSettings } from "../k6/standalone.ts";
import { k6OrSkip } from "../testing/k6-present.ts";

const SCRIPT = fileURLToPath(new URL("../k6/main.ts", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../launch/main.ts", import.meta.url));
const TSX = import.meta.resolve("tsx");
const LONG = { timeout: 60_000 };

const REMOTE = {
  BASE_URL: "https://sandbox.example.com",
  SECRET_KEY: "sk_test_0123456789abcdef",
  WORKLOAD: "transfers",
  PROFILE: "average",
  BANK_CODE: "058",
  ACCOUNT_NUMBER: "0123456789",
  ACCOUNT_NAME: "Test Beneficiary",
  EMAIL_ADDRESS: "qa@example.com",
  TRANSFER_AMOUNT: "100",
};
const CONSENT = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "2000", MAX_PAYOUT_TOTAL: "200000" };

const settingsOf = (variables: Readonly<Record<string, string>>) =>
  standaloneSettings({ ...REMOTE, ...variables }, "0123abcd", holdsLiveKey);

describe("the settings of k6 without the launcher", () => {
  test("hold the ordinary request of each step, as the launcher would send it", () => {
    const { steps, referenceForm } = settingsOf({
      ...CONSENT,
      PATH_FORM: "prefixed",
      REFERENCE_FORM: "uuid",
    });

    expect(referenceForm).toBe("uuid");
    expect(steps[0].template).toEqual({
      url: "https://sandbox.example.com/api/user-service/external/v1/api/transaction-service/external/v1/transfer/create-single-transfer",
      headers: {
        Accept: "application/json",
        Authorization: "Bearer sk_test_0123456789abcdef",
        "Content-Type": "application/json",
      },
      body: expect.stringContaining('"amount":100,"bankCode":"058","accountNumber":"0123456789"'),
    });
    expect(steps.at(-1)?.template).toMatchObject({
      url: expect.stringMatching(
        /get-transfer-list\?limit=5&page=1&transferReference=\uE001reference\uE001$/,
      ),
      body: null,
    });
  });

  test("ask for as many list items as LIST_LIMIT says", () => {
    const urls = settingsOf({ WORKLOAD: "readers", LIST_LIMIT: "10" }).steps.map(
      ({ template }) => template.url,
    );

    expect(urls.filter((url) => url.includes("limit=10&page=1"))).toHaveLength(3);
    expect(urls.filter((url) => /limit=(?!10&)/.test(url))).toEqual([]);
  });

  test("ask for the documented rejections of safe, and need no consent", () => {
    const bodies = settingsOf({ WORKLOAD: "safe" }).steps.flatMap(({ refusal, template }) =>
      refusal ? [template.body] : [],
    );

    expect(bodies).toEqual([
      '{"transactionRef":"\uE001reference\uE001","amount":100}',
      '{"amount":"100000","reference":"\uE001reference\uE001"}',
    ]);
  });

  test.each([
    ["a live key", { SECRET_KEY: "sk_live_0123456789abcdef" }, "SECRET_KEY holds a live key"],
    ["a live key elsewhere", { EXTRA_HEADERS: '{"X":"pk_live_1"}' }, "EXTRA_HEADERS holds a live key"],
    ["a key that is no test key", { SECRET_KEY: "secret" }, "SECRET_KEY must be a secret test key"],
    [
      "a host that looks live",
      { ...CONSENT, BASE_URL: "https://api.live.example.com" },
      "ALLOW_HOSTS=api.live.example.com",
    ],
    [
      "a host behind a user name",
      { ...CONSENT, BASE_URL: "http://localhost@example.com" },
      "BASE_URL must be an address",
    ],
    ["a live deployment", { ...CONSENT, ENVIRONMENT: "live" }, "ENVIRONMENT=live"],
    [
      "more than 20 requests per second",
      { ...CONSENT, RATE: "21", DURATION: "5s" },
      "LOAD_TARGET=sandbox.example.com",
    ],
    ["money without consent", {}, "ALLOW_PAYOUTS=true"],
    ["more calls than MAX_PAYOUTS", { ...CONSENT, MAX_PAYOUTS: "960" }, "MAX_PAYOUTS=960"],
    ["more money than MAX_PAYOUT_TOTAL", { ...CONSENT, MAX_PAYOUT_TOTAL: "96099" }, "MAX_PAYOUT_TOTAL=96099"],
    [
      "four times as many calls of an impatient client",
      { ...CONSENT, CLIENT: "impatient" },
      "(3841 calls, 384100.00 in total)",
    ],
    ["virtual accounts of more units than the cap", { WORKLOAD: "dva", ...CONSENT }, "1200000.00 in total"],
    ["a number of subunits that no currency has", { SUBUNITS_PER_UNIT: "1e9" }, "from 1 to 1000"],
    ["a card that is not confirmed", { WORKLOAD: "card", ...CONSENT }, "CARD_IS_TEST"],
    ["missing data", { ...CONSENT, BANK_CODE: "" }, "BANK_CODE is missing"],
    ["an unknown workload", { WORKLOAD: "payrolls" }, "expected one of transactions, transfers, qr, card"],
    ["an unknown profile", { PROFILE: "peak" }, "expected one of smoke, average, stress, spike"],
    ["a limit that no list has", { LIST_LIMIT: "2.5" }, "LIST_LIMIT must be a whole number above 0"],
    ["a rate that is no number", { RATE: "fast" }, "RATE must be a number above 0"],
  ])("refuse %s", (_, variables, problem) => {
    expect(() => settingsOf(variables)).toThrow(problem);
  });

  test("allow what the operator consents to", () => {
    const exact = { ...CONSENT, MAX_PAYOUTS: "961", MAX_PAYOUT_TOTAL: "96100" };

    expect(settingsOf(exact).profile).toMatchObject({ name: "average", rate: 20 });
    expect(
      settingsOf({ ...exact, RATE: "100", DURATION: "12s", LOAD_TARGET: "sandbox.example.com" }).profile.rate,
    ).toBe(100);
  });
});

/** Runs a program in a folder, with these variables and none of this process. */
function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  folder: string,
) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
  return new Promise<{ code: number | null; text: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, text }));
  });
}

async function deployment(fault?: string): Promise<Record<string, string>> {
  const found = faults.find(({ id }) => id === fault);
  if (fault !== undefined && !found) throw new Error(`there is no fault ${fault}`);
  const sandbox = await startSandbox(found ? { fault: found } : {});
  onTestFinished(() => sandbox.close());
  return { ...sandbox.env, SETTLE_SECONDS: "0.2" };
}

const asFlags = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).flatMap(([name, value]) => ["-e", `${name}=${value}`]);

/** The command that a run prints, as the arguments of `npm run load --`. */
const reconciliationIn = (text: string) =>
  /npm run load -- (reconcile [\da-f]{8} \w+ --iterations \d+)/.exec(text)?.[1]?.split(" ") ?? [];

describe("k6 run without the launcher", () => {
  const SHORT = { WORKLOAD: "transfers", PROFILE: "average", RATE: "40", DURATION: "1500ms" };

  test("loads, shows k6's own summary and prints the command that reconciles it", LONG, async (context) => {
    const { path } = await k6OrSkip(context);
    const variables = await deployment();
    const folder = temporaryFolder();
    const answers = [
      "-e",
      "ANSWERS=true",
      "--log-format",
      "raw",
      "--console-output",
      join(folder, "answers.log"),
    ];

    const silent = await run(path, ["run", SCRIPT, ...asFlags({ ...variables, ...SHORT })], {}, folder);
    const logged = await run(
      path,
      ["run", SCRIPT, ...asFlags({ ...variables, ...SHORT }), ...answers],
      {},
      folder,
    );

    expect(silent).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /k6 does not reconcile money, and no ledger bounds it[\s\S]*THRESHOLDS[\s\S]*iterations/,
      ),
    });
    expect(silent.text).not.toContain(variables.SECRET_KEY);
    expect(logged.code).toBe(0);

    const reconcile = (args: readonly string[]) =>
      run(process.execPath, ["--import", TSX, LAUNCHER, ...args], variables, folder);
    const command = reconciliationIn(silent.text);
    expect(await reconcile(command)).toMatchObject({
      code: 4,
      text: expect.stringMatching(
        /L2 +held[\s\S]*UNDECIDED \(exit code 4\): without the answers, it is unknown/,
      ),
    });
    // The second run wrote its notice into the log that it names.
    const log = readFileSync(join(folder, "answers.log"), "utf8");
    expect(await reconcile([...reconciliationIn(log), "--answers", "answers.log"])).toMatchObject({
      code: 0,
      text: expect.stringMatching(/L1 +held +every accepted transfer is listed: 43 of 43[\s\S]*PASSED/),
    });
  });

  test("leaves enough to find a transfer that was paid twice", LONG, async (context) => {
    const { path } = await k6OrSkip(context);
    const variables = await deployment("paid-twice");
    const folder = temporaryFolder();

    const { text } = await run(path, ["run", SCRIPT, ...asFlags({ ...variables, ...SHORT })], {}, folder);
    const command = reconciliationIn(text);

    expect(
      await run(process.execPath, ["--import", TSX, LAUNCHER, ...command], variables, folder),
    ).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /FAILED \(exit code 1\): broken invariant.*L2 \(no reference is paid twice\)/,
      ),
    });
  });

  test(
    "sends nothing with a live key, nor a load after a transfer that was not accepted",
    LONG,
    async (context) => {
      const { path } = await k6OrSkip(context);
      const variables = await deployment();
      const folder = temporaryFolder();
      const k6 = (more: Readonly<Record<string, string>>) =>
        run(path, ["run", SCRIPT, ...asFlags({ ...variables, ...SHORT, ...more })], {}, folder);

      const key = "sk_live_0123456789abcdef";
      const written = [key, `%73%6b${key.slice(2)}`, Buffer.from(`?${key}>`).toString("base64url")];
      const rejected = await k6({ BANK_CODE: "unknown" });

      for (const value of written) {
        const live = await k6({ EXTRA_HEADERS: JSON.stringify({ "X-Key": value }) });
        expect(live.code).not.toBe(0);
        expect(live.text).toMatch(/nothing was sent:.*EXTRA_HEADERS holds a live key/s);
        expect(live.text).not.toContain(value);
      }
      expect(rejected).toMatchObject({ code: 108, text: expect.stringContaining("no load was sent") });
    },
  );
});
