import { describe, expect, onTestFinished, test, vi } from "vitest";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { consented } from "../testing/consented.ts";
import { execute, findingIn, verdictsIn } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Runs the checks of one operation against a sandbox with one fault. */
async function certifyWith(fault: string, only: string) {
  const found = faults.find(({ id }) => id === fault);
  if (!found) throw new Error(`no fault is called ${fault}`);
  const sandbox = await startSandbox({ fault: found });
  onTestFinished(() => sandbox.close());
  const ended = await execute("certify", ["--select", only], consented(sandbox.env));
  return { ended, file: verdictsIn(ended) };
}

describe("npm run certify against a deployment with one defect", () => {
  test.each([
    [
      "createDiscountCode/status-201",
      "createDiscountCode/accepted",
      /add-discount-code returned 201; expected 200/,
    ],
    [
      "createQrTransaction/body/transaction_id-missing",
      "createQrTransaction/accepted",
      /transaction-with-qr .*transaction_id is missing/,
    ],
    ["listCustomers/auth-no-header", "listCustomers/auth/no-header", /GET .*list.* returned 200/],
    ["paid-twice", "createTransfer/idempotency/sequential", /create-single-transfer/],
  ])("fails and says what is wrong: %s", async (fault, id, message) => {
    const { ended, file } = await certifyWith(fault, id);

    const check = findingIn(file, id);
    expect(ended.code).toBe(1);
    expect(file.outcome).toBe("non-conformant");
    expect(check.verdict).toBe("fail");
    expect(check.message).toMatch(message);
    expect(check.message).not.toContain("\n");
    expect(check.exchanges.length).toBeGreaterThan(0);
    expect(check.curl).toMatch(/^(RUN=\S+ .*; )?curl .*'/);
    expect(ended.stdout).toContain(id);
    expect(ended.stdout).toContain(`{"check":"${id}","reason":"","owner":""`);
  });
});
