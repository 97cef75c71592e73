import { utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { listenRaw } from "../../fixtures/testing/listener.ts";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { startProgram, startVitest } from "../../fixtures/testing/spawned.ts";

vi.setConfig({ testTimeout: 240_000 });

const FILE = "suites/disputes/get-dispute.check.ts";
const TRANSFERS = "suites/transfers/create-transfer.check.ts";

test("a file of checks is refused beyond the caps, before anything is sent", async () => {
  const server = await listenRaw((socket) => socket.destroy());
  const beneficiary = {
    BANK_CODE: "058",
    ACCOUNT_NUMBER: "0123456789",
    ACCOUNT_NAME: "Test Beneficiary",
    EMAIL_ADDRESS: "qa@example.com",
    TRANSFER_AMOUNT: "70",
  };
  const caps = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };
  const env = { ...DEPLOYMENT, ...beneficiary, ...caps, BASE_URL: server.url };

  const { code, stderr } = await startVitest(["run", TRANSFERS], env).ended;

  expect(code).toBe(1);
  expect(stderr).toContain("exceeds MAX_PAYOUTS=1");
  expect(server.heard).toEqual([]);
});

test("watch mode runs the checks again when their file changes", async () => {
  const { process: watch, printed } = startVitest(["watch", FILE, "-t", "unknown"]);
  const runs = () => printed().match(/^Reports written to/gm)?.length ?? 0;
  const isWaiting = () => /Waiting for file changes/.test(printed());
  await vi.waitFor(() => expect([runs(), isWaiting()]).toEqual([1, true]), 100_000);

  utimesSync(FILE, new Date(), new Date());
  await vi.waitFor(() => expect(runs()).toBe(2), 100_000);

  expect(printed()).not.toContain("FAIL");
  watch.kill();
});

test("an editor's test panel runs the checks, and again, and they pass or fail one by one", async () => {
  // An editor's extension says who it is, keeps vitest open and asks it for one file after the other.
  const panel = `
    import { createVitest } from "vitest/node";
    const vitest = await createVitest("test", { watch: true, reporters: [{}] });
    await vitest.standalone();
    const specifications = await vitest.globTestSpecifications([${JSON.stringify(FILE)}]);
    for (const pattern of [/unknown/, /record$/]) {
      vitest.setGlobalTestNamePattern(pattern);
      const { testModules } = await vitest.runTestSpecifications(specifications);
      for (const module of testModules)
        for (const test of module.children.allTests())
          console.error(test.result().state, test.name);
    }
    await vitest.close();
    process.exit(0);`;
  const run = startProgram(process.execPath, ["--input-type=module", "--eval", panel], {
    variables: { VITEST_VSCODE: "true" },
    folder: PROJECT_ROOT,
  });

  const { stderr } = await run.ended;

  const passed = stderr.match(/^passed .*$/gm);
  expect(passed).toContain("passed getDispute/transaction-unknown/shape");
  expect(passed).toContain("passed getDispute/record");
  expect(stderr).not.toMatch(/^failed/m);
});
