import { expect, test } from "vitest";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { startVitest } from "../../fixtures/testing/spawned.ts";

const FILE = "suites/disputes/get-dispute.check.ts";

test("vitest with a file of checks runs the chosen ones as certify does, and fails with what they found", async () => {
  const { env } = await deploy({ changes: ["getDispute/unknown-shape"] });

  const ended = await startVitest(["run", FILE, "-t", "unknown"], env).ended;

  const ids = verdictsIn(ended).checks.map(({ id }) => id);
  expect(ended.code).toBe(1);
  expect(ids.every((id) => /^getDispute\/.*unknown/.test(id))).toBe(true);
  expect(ended.stdout).toMatch(new RegExp(`Tests .*1 failed \\| ${ids.length - 1} passed`));
  expect(ended.stderr).toMatch(/FAIL .*getDispute\/transaction-unknown\/shape/);
  expect(ended.stderr).toContain("expected the documented error body (R081");
});

test("vitest without a file of checks lists none of them, so that our own tests never send anything to a deployment", async () => {
  const { stdout } = await startVitest(["list", "--filesOnly"]).ended;

  expect(stdout).toContain("as-certify.process.test.ts");
  expect(stdout).not.toContain(".check.ts");
});
