import { utimesSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import { DEPLOYMENT } from "../../../fixtures/testing/example-target.ts";
import { listenRaw } from "../../../fixtures/testing/listener.ts";
import { consented } from "../../testing/consented.ts";
import { runProgram, startVitest, verdictsIn } from "../../testing/spawned.ts";

vi.setConfig({ testTimeout: 240_000 });

const FILE = "suites/disputes/get-dispute.check.ts";
const TRANSFERS = "suites/transfers/create-transfer.check.ts";

describe("vitest with a file of checks", () => {
  test("runs the chosen ones as certify does, and leaves the reports of a run", async () => {
    const ended = await startVitest(["run", FILE, "-t", "unknown"]).ended;

    const ids = verdictsIn(ended).checks.map(({ id }) => id);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("the embedded sandbox, not a deployment of yours");
    expect(ids).toContain("getDispute/transaction-unknown/shape");
    expect(ids.every((id) => /^getDispute\/.*unknown/.test(id))).toBe(true);
    expect(ended.stdout).toMatch(new RegExp(`Tests .*\\b${ids.length} passed`));
  });

  test("fails with what a check found", async () => {
    const fault = faults.find(({ id }) => id === "getDispute/unknown-shape");
    if (!fault) throw new Error("the fault of this test is gone");
    const sandbox = await startSandbox({ fault });
    onTestFinished(() => sandbox.close());

    const { code, stderr } = await startVitest(["run", FILE], consented(sandbox.env)).ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/FAIL .*getDispute\/transaction-unknown\/shape/);
    expect(stderr).toContain("expected the documented error body (R081");
  });

  test("is refused beyond the caps, before anything is sent", async () => {
    const server = await listenRaw((socket) => socket.destroy());
    const beneficiary = {
      BANK_CODE: "058",
      ACCOUNT_NUMBER: "0123456789",
      ACCOUNT_NAME: "Test Beneficiary",
      EMAIL_ADDRESS: "qa@example.com",
      TRANSFER_AMOUNT: "70",
    };
    const caps = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };

    const { code, stderr } = await startVitest(["run", TRANSFERS], {
      ...DEPLOYMENT,
      ...beneficiary,
      ...caps,
      BASE_URL: server.url,
    }).ended;

    expect(code).toBe(1);
    expect(stderr).toContain("exceeds MAX_PAYOUTS=1");
    expect(server.heard).toEqual([]);
  });

  test("runs them again in watch mode when their file changes", async () => {
    const { process: watch, printed } = startVitest(["watch", FILE, "-t", "unknown"]);
    const runs = () => printed().match(/^Reports written to/gm)?.length ?? 0;
    const isWaiting = () => /Waiting for file changes/.test(printed());
    await vi.waitFor(() => expect([runs(), isWaiting()]).toEqual([1, true]), 100_000);

    utimesSync(FILE, new Date(), new Date());
    await vi.waitFor(() => expect(runs()).toBe(2), 100_000);

    expect(printed()).not.toContain("FAIL");
    watch.kill();
  });

  test("runs them, and again, in an editor's test panel, where they pass or fail one by one", async () => {
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

    const { stderr } = await runProgram(panel, { VITEST_VSCODE: "true" });

    const passed = stderr.match(/^passed .*$/gm);
    expect(passed).toContain("passed getDispute/transaction-unknown/shape");
    expect(passed).toContain("passed getDispute/record");
    expect(stderr).not.toMatch(/^failed/m);
  });
});

describe("vitest without a file of checks", () => {
  test("lists none of them, so that our own tests never send anything to a deployment", async () => {
    const { stdout } = await startVitest(["list", "--filesOnly"]).ended;

    expect(stdout).toContain("as-certify.process.test.ts");
    expect(stdout).not.toContain(".check.ts");
  });
});
