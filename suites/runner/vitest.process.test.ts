import { expect, test, vi } from "vitest";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { startVitest } from "../../fixtures/testing/spawned.ts";
import { operations } from "../../schemas/contract.ts";

const FILES = ["suites/disputes/get-dispute.check.ts", "suites/pages/check-custom-link.check.ts"];

test("vitest runs what is chosen of several files as one run, and fails with what it found", async () => {
  const { env } = await deploy({ changes: ["getDispute/unknown-shape"] });

  const ended = await startVitest(["run", ...FILES, "-t", "unknown|link-existing"], env).ended;

  const ids = verdictsIn(ended).checks.map(({ id }) => id);
  expect(ended.code).toBe(1);
  expect(new Set(ids.map((id) => id.split("/")[0]))).toEqual(new Set(["getDispute", "checkCustomLink"]));
  expect(ended.stdout.match(/Reports written to/g)).toHaveLength(1);
  expect(ended.stdout).toMatch(new RegExp(`Tests .*1 failed \\| ${ids.length - 1} passed`));
  expect(ended.stderr).toMatch(/FAIL .*getDispute\/transaction-unknown\/shape: returns/);
  expect(ended.stderr).toContain("expected the documented error body (R081");
});

test("a warning is an annotation of its test", async () => {
  const { env } = await deploy({ changes: ["scheme-by-letters"] });
  const file = "suites/every-operation/authentication/invalid-credentials.bad-keys.check.ts";
  const chosen = ["-t", "getProfile/auth/lower-case-scheme", "--reporter=verbose"];

  const { code, stdout } = await startVitest(["run", file, ...chosen], env).ended;

  expect(code).toBe(0);
  expect(stdout).toMatch(/✓ .*getProfile\/auth\/lower-case-scheme: /);
  expect(stdout).toMatch(/warning[\s\S]*GET …\/profile .*returned 401/);
});

test("a run that is refused says so once, whatever the number of its files", async () => {
  const refused = await startVitest(["run", ...FILES], { BASE_URL: "http://127.0.0.1:9" }).ended;

  expect(refused.code).toBe(1);
  expect(refused.stderr.match(/SECRET_KEY is missing/g)).toHaveLength(1);
});

test.skipIf(process.platform === "win32")(
  "Ctrl-C while money moves looks up what was paid, and writes the reports",
  async () => {
    const on = operations.filter(({ effect }) => effect === "money").map(({ id }) => id);
    const slow = { id: "slow", on, points: { wire: <T>(wire: T) => ({ ...wire, delayMs: 500 }) } };
    const { env, sandbox } = await deploy({ changes: [slow] });
    const run = startVitest(["run", "suites/transfers"], env);
    const isPaying = () =>
      sandbox.log.some(({ operation, bytes, status }) => {
        return operation === "createTransfer" && bytes > 0 && status === undefined;
      });
    await vi.waitUntil(isPaying, { timeout: 60_000, interval: 10 });

    run.process.kill("SIGINT");
    const ended = await run.ended;

    const file = verdictsIn(ended);
    expect(ended.code).toBe(130);
    expect(file).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(file.money.kept.count).toBeGreaterThan(0);
    expect(file.checks.some(({ verdict }) => verdict === "suite-error")).toBe(false);
  },
);

test("the tests of this project send nothing to a deployment", async () => {
  const { stdout } = await startVitest(["list", "--filesOnly", "--config", "vitest.own.config.ts"]).ended;

  expect(stdout).toContain("vitest.process.test.ts");
  expect(stdout).not.toContain(".check.ts");
});
