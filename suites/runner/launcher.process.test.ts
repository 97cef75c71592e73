import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { envFile, LIVE_KEY } from "../../fixtures/testing/env-file.ts";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { closedPort, listen, listenRaw } from "../../fixtures/testing/listener.ts";
import { execute, npm, verdictsIn } from "../testing/spawned.ts";
import { readChecklist } from "./checklist.ts";

// Each test starts commands, and this machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** A deployment that only notices who connects. */
const untouched = () => listenRaw((socket) => socket.destroy());

describe("npm run certify sends nothing", () => {
  test("with --list, which prints every check", async () => {
    const server = await untouched();

    const { code, stdout } = await execute("certify", ["--list"], { ...DEPLOYMENT, BASE_URL: server.url });

    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(readChecklist().length);
    expect(stdout).toMatch(/^createTransfer\/accepted {2}MUST {2}\w/m);
    expect(server.heard).toEqual([]);
  });

  test("with --dry-run, which says what it would send and what it lacks", async () => {
    const server = await untouched();
    const variables = { ...DEPLOYMENT, BASE_URL: server.url, EMAIL_ADDRESS: "qa@example.com" };
    const money = {
      ALLOW_PAYOUTS: "true",
      MAX_PAYOUTS: "40",
      MAX_PAYOUT_TOTAL: "1e9".replace("e9", "000000"),
    };

    const { code, stdout, folder } = await execute("certify", ["--dry-run"], { ...variables, ...money });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}expected +\d+ to \d+ payouts +[\d,.]+ to [\d,.]+ in total$/m);
    expect(stdout).toMatch(/createTransfer: .*BANK_CODE/);
    expect(stdout).toContain("PUBLISHABLE_KEY");
    expect(stdout).not.toMatch(/sk_test_0|qa@example/);
    expect(stdout).not.toContain("\u001b");
    expect(server.heard).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with --dry-run through npm, and where npm took the option for itself", async () => {
    const server = await untouched();
    const variables = { ...DEPLOYMENT, BASE_URL: server.url };

    const [passed, swallowed] = await Promise.all([
      npm(["run", "certify", "--", "--dry-run"], variables),
      npm(["run", "certify", "--dry-run"], variables),
    ]);

    expect(passed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`would run against ${server.url}`),
    });
    expect(swallowed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("npm run certify -- --dry-run"),
    });
    expect(server.heard).toEqual([]);
  });

  test("with a live key, and neither do gate and load", async () => {
    const server = await untouched();
    const ENV_FILE = envFile(
      `BASE_URL=${server.url}\nSECRET_KEY=\n# before: ${LIVE_KEY}\nMAX_PAYOUTS=many\n`,
    );

    const all = await Promise.all([
      execute("certify", [], { ENV_FILE }),
      execute("gate", [], { ENV_FILE }),
      execute("load", ["transfers", "--profile", "smoke"], { ENV_FILE }),
    ]);

    for (const { code, stdout, stderr, folder } of all) {
      expect(code).toBe(3);
      expect(stderr).toContain("a live key");
      expect(stdout + stderr).not.toContain(LIVE_KEY);
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(server.heard).toEqual([]);
  });

  test("where its reports cannot be written", async () => {
    const server = await untouched();
    const out = join(envFile("a file, and no folder"), "reports");

    const { code, stderr } = await execute("certify", ["--out", out], {
      ...DEPLOYMENT,
      BASE_URL: server.url,
    });

    expect(code).toBe(2);
    expect(stderr).toMatch(/^--out .*: the folder cannot be written .*\n$/);
    expect(server.heard).toEqual([]);
  });

  test("where its ledger cannot be written", async () => {
    const server = await untouched();
    const variables = {
      ...DEPLOYMENT,
      BASE_URL: server.url,
      LEDGER_DIR: join(envFile("a file, and no folder"), "ledger"),
    };

    const { code, stderr } = await execute("certify", [], variables);

    expect(code).toBe(2);
    expect(stderr).toMatch(/^the ledger .* cannot be written .* LEDGER_DIR .*\n$/);
    expect(server.heard).toEqual([]);
  });

  test("with waivers that cannot be used", async () => {
    const server = await untouched();
    const waiver = { reason: "known", owner: "payments", expires: "2020-01-31" };
    const WAIVERS = envFile(
      JSON.stringify([
        { ...waiver, check: "createTransfer/accepted" },
        { ...waiver, check: "createTransfer/nothing", ticket: "PAY-1" },
      ]),
    );

    const ended = await execute("certify", [], { ...DEPLOYMENT, BASE_URL: server.url, WAIVERS });

    expect(ended.code).toBe(5);
    expect(ended.stderr).toMatch(
      /^the waiver of createTransfer\/accepted expired .*\n.* names no check .*\n$/,
    );
    expect(verdictsIn(ended)).toMatchObject({
      exitCode: 5,
      checks: [],
      waivers: [{ owner: "payments", reason: "known", expires: "2020-01-31" }, { ticket: "PAY-1" }],
    });
    expect(server.heard).toEqual([]);
  });

  test("beyond its caps", async () => {
    const server = await untouched();
    const caps = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };

    const ended = await execute("certify", [], { ...DEPLOYMENT, ...caps, BASE_URL: server.url });

    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/the plan \(\d+ payouts, [\d,.]+ in total\) exceeds MAX_PAYOUTS=1/);
    expect(verdictsIn(ended)).toMatchObject({ outcome: "refused", exitCode: 3, checks: [] });
    expect(server.heard).toEqual([]);
  });
});

describe("npm run certify refuses", () => {
  test("a broken env file with every problem at once, and no secret", async () => {
    const ENV_FILE = envFile(
      "BASE_URL=nowhere\nSECRET_KEY=hunter2hunter2\nsk_test_pasted\nMAX_PAYOUTS=many\nCARD_CVV=98765\n",
    );

    const { code, stdout, stderr, folder } = await execute("certify", [], { ENV_FILE });

    expect(code).toBe(2);
    const subjects = stderr
      .trim()
      .split("\n")
      .map((line) => line.split(/[ ,]/, 1)[0]);
    expect(subjects).toEqual([ENV_FILE, "BASE_URL", "SECRET_KEY", "CARD_CVV", "MAX_PAYOUTS"]);
    expect(stdout + stderr).not.toMatch(/hunter2|pasted|98765/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("an empty env file, and a secret that arrived empty", async () => {
    const [file, secret] = await Promise.all([
      execute("certify", [], { ENV_FILE: envFile("") }),
      execute("certify", [], { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "" }),
    ]);

    expect([file.code, secret.code]).toEqual([2, 2]);
    expect(file.stderr).toContain("sets no variable");
    expect(secret.stderr).toContain("SECRET_KEY is set but empty");
    expect(file.stdout + secret.stdout).toBe("");
  });

  test("a selection of nothing, and an option that it does not have", async () => {
    const [selection, option] = await Promise.all([
      execute("certify", ["--select", "payroll/*"]),
      execute("certify", ["--slect", "createTransfer"]),
    ]);

    expect([selection.code, option.code]).toEqual([2, 2]);
    expect(selection.stderr).toMatch(/--select payroll\/\* selects no check/);
    expect(option.stderr).toContain("did you mean --select?");
  });

  test("a port on which nothing listens, without waiting for a deadline, and leaves a verdict", async ({
    expect,
  }) => {
    const BASE_URL = `http://127.0.0.1:${await closedPort()}`;

    const ended = await execute("certify", [], { ...DEPLOYMENT, BASE_URL });

    expect(ended.code).toBe(3);
    expect(ended.milliseconds).toBeLessThan(10_000);
    expect(ended.stderr).toContain(`${BASE_URL} cannot be reached: the connection was refused`);
    expect(verdictsIn(ended)).toMatchObject({
      outcome: "refused",
      exitCode: 3,
      problems: [expect.any(String)],
    });
    expect(existsSync(join(ended.folder, "reports/out/latest/junit.xml"))).toBe(true);
  });

  test("a page on every path", async () => {
    const server = await listen((_, response) => response.end("<!doctype html><h1>Login</h1>"));

    const { code, stderr } = await execute("certify", [], { ...DEPLOYMENT, BASE_URL: server.url });

    expect(code).toBe(3);
    expect(stderr).toContain("it returns HTML pages");
  });
});

describe("npm run gate", () => {
  test("never guesses its target", async () => {
    const { code, stderr } = await execute("gate");

    expect(code).toBe(2);
    expect(stderr).toContain("BASE_URL is not set");
  });

  test("tests the embedded sandbox if --sandbox is given, whatever an env file says", async () => {
    const server = await untouched();
    const ENV_FILE = envFile(`BASE_URL=${server.url}\nSECRET_KEY=${DEPLOYMENT.SECRET_KEY}\nMAX_PAYOUTS=1\n`);

    const ended = await execute("gate", ["--sandbox", "--select", "getProfile/accepted"], { ENV_FILE });

    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`--sandbox was given, so ${ENV_FILE} is not used`);
    expect(verdictsIn(ended).target).toMatchObject({ embedded: true });
    expect(server.heard).toEqual([]);
  });

  test("tests the embedded sandbox if --sandbox is given, and only the selected checks", async () => {
    const ended = await execute("gate", ["--sandbox", "--select", "createTransfer/accepted,getDispute"]);

    const file = verdictsIn(ended);
    expect(ended.code).toBe(0);
    expect(new Set(file.checks.map(({ operation }) => operation))).toEqual(
      new Set(["createTransfer", "getDispute"]),
    );
    expect(file.outcome).toBe("not-fully-verified");
    expect(ended.stdout).toContain("not your deployment");
  });
});
