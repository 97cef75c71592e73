import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verdictsIn } from "../../fixtures/testing/deployment.ts";
import { envFile, LIVE_KEY } from "../../fixtures/testing/env-file.ts";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { closedPort, listenRaw } from "../../fixtures/testing/listener.ts";
import { load } from "../../load/launch/main.ts";
import type { Environment } from "../../reports/command-line/command.ts";
import { certify, gate } from "./certify.ts";
import { readChecklist } from "./checklist.ts";

/** A deployment that only notices who connects, and its variables. */
async function untouched() {
  const { url, heard } = await listenRaw((socket) => socket.destroy());
  return { env: { ...DEPLOYMENT, BASE_URL: url }, heard };
}

describe("certify sends nothing", () => {
  test("with --list, which prints every check", async () => {
    const { env, heard } = await untouched();

    const { code, stdout } = await invoke(certify, ["--list"], env);

    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(readChecklist().length);
    expect(stdout).toMatch(/^createTransfer\/accepted {2}MUST {2}\w/m);
    expect(heard).toEqual([]);
  });

  test("with --dry-run, which says what it would send and what it lacks", async () => {
    const { env, heard } = await untouched();
    const money = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "40", MAX_PAYOUT_TOTAL: "1000000000" };

    const { code, stdout, folder } = await invoke(certify, ["--dry-run"], {
      ...env,
      ...money,
      EMAIL_ADDRESS: "qa@example.com",
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}expected +\d+ to \d+ payments +[\d,.]+ to [\d,.]+ in total$/m);
    expect(stdout).toMatch(/createTransfer: .*BANK_CODE/);
    expect(stdout).toContain("PUBLISHABLE_KEY");
    expect(stdout).not.toMatch(/sk_test_0|qa@example/);
    expect(heard).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  /** No folder can be made below a file. */
  const BELOW_A_FILE = `${import.meta.filename}/reports`;

  test.each<[string, readonly string[], Environment, RegExp]>([
    ["a month of checks", ["--max-minutes", "40000"], {}, /^--max-minutes 40000: .* at most 1440/],
    [
      "reports where no folder can be",
      ["--out", BELOW_A_FILE],
      {},
      /^--out .*: the folder cannot be written/,
    ],
    ["a baseline", ["--baseline", "v.json"], {}, /npm run gate -- --baseline v\.json/],
  ])("with %s", async (_, args, variables, problem) => {
    const { env, heard } = await untouched();

    const { code, stdout, stderr } = await invoke(certify, args, { ...env, ...variables });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(problem);
    expect(heard).toEqual([]);
  });

  test("with a live key anywhere, and neither do gate and load", async () => {
    const { env, heard } = await untouched();
    const text = `BASE_URL=${env.BASE_URL}\nSECRET_KEY=\n# before: ${LIVE_KEY}\nMAX_PAYOUTS=many\n`;
    const commands = [
      [certify, []],
      [gate, []],
      [load, ["transfers", "--profile", "smoke"]],
    ] as const;

    for (const [command, args] of commands) {
      const { code, stdout, stderr, folder } = await invoke(command, args, { ENV_FILE: envFile(text) });

      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toContain("a live key");
      expect(stderr).not.toContain(LIVE_KEY);
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(heard).toEqual([]);
  });

  test("with waivers that cannot be used", async () => {
    const { env, heard } = await untouched();
    const waiver = { reason: "known", owner: "payments", expires: "2020-01-31" };
    const list = [
      { ...waiver, check: "createTransfer/accepted" },
      { ...waiver, check: "createTransfer/nothing", ticket: "PAY-1" },
    ];

    const ended = await invoke(certify, [], { ...env, WAIVERS: envFile(JSON.stringify(list)) });

    expect(ended.code).toBe(5);
    expect(ended.stderr).toMatch(
      /^the waiver of createTransfer\/accepted expired .*\n.* names no check .*\n$/,
    );
    expect(verdictsIn(ended)).toMatchObject({
      exitCode: 5,
      checks: [],
      waivers: [waiver, { ticket: "PAY-1" }],
    });
    expect(heard).toEqual([]);
  });

  test("beyond its caps", async () => {
    const { env, heard } = await untouched();
    const caps = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };

    const ended = await invoke(certify, [], { ...env, ...caps });

    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/the plan \(\d+ payments, [\d,.]+ in total\) exceeds MAX_PAYOUTS=1/);
    expect(verdictsIn(ended)).toMatchObject({ outcome: "refused", exitCode: 3, checks: [] });
    expect(heard).toEqual([]);
  });
});

describe("certify refuses", () => {
  test("a port on which nothing listens, without waiting for a deadline, and leaves a verdict", async () => {
    const BASE_URL = `http://127.0.0.1:${await closedPort()}`;
    const begun = performance.now();

    const ended = await invoke(certify, [], { ...DEPLOYMENT, BASE_URL });

    expect(ended.code).toBe(3);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(ended.stderr).toContain(`${BASE_URL} cannot be reached: the connection was refused`);
    expect(verdictsIn(ended)).toMatchObject({
      outcome: "refused",
      exitCode: 3,
      problems: [expect.any(String)],
    });
    expect(existsSync(join(ended.folder, "reports/out/latest/junit.xml"))).toBe(true);
  });
});

describe("gate", () => {
  test("never guesses its target", async () => {
    expect(await invoke(gate)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("BASE_URL is not set"),
    });
  });
});
