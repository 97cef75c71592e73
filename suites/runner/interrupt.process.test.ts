import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { has } from "../../fixtures/sandbox/points/conditions.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { startNpm, startProgram } from "../../fixtures/testing/spawned.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { operations } from "../../schemas/contract.ts";
import { certify } from "./certify.ts";

/** A sandbox whose money calls take a while, so that some are under way when the run is interrupted. */
const SLOW: Change = {
  id: "slow",
  on: operations.filter(({ effect }) => effect === "money").map(({ id }) => id),
  points: { wire: (wire) => ({ ...wire, delayMs: 500 }) },
};

/** Polls until `condition` holds. */
const until = (condition: () => unknown) => vi.waitUntil(condition, { timeout: 60_000, interval: 10 });

/** A deployment, the transfers that it received, and where a run leaves its verdict. */
async function against(change: Change) {
  const { env, sandbox } = await deploy({ changes: [change] });
  const out = temporaryFolder();
  const transfers = () => sandbox.log.filter(({ operation }) => operation === "createTransfer");
  return {
    variables: { ...env, LEDGER_DIR: join(out, "ledger") },
    out,
    transfers,
    moneyMoves: () => until(() => transfers().some(({ bytes, status }) => bytes > 0 && status === undefined)),
    verdict: async () => {
      const path = join(out, "latest", "verdicts.json");
      await until(() => existsSync(path));
      return JSON.parse(readFileSync(path, "utf8")) as Verdicts;
    },
  };
}

/** Expects the verdict of a run that was interrupted, settled what it had sent, and names what it did not test. */
function expectInterrupted(file: Verdicts) {
  expect(file).toMatchObject({ outcome: "interrupted", exitCode: 130 });
  expect(file.checks.some(({ verdict }) => verdict === "suite-error")).toBe(false);
  expect(file.checks.filter(({ reason }) => reason === "interrupted").length).toBeGreaterThan(0);
  expect(file.money.kept.count).toBeGreaterThan(0);
}

describe.skipIf(process.platform === "win32")("a signal to npm while money moves", () => {
  test.each([
    ["Ctrl-C, which the whole group gets", "SIGINT", true],
    ["the end of npm alone", "SIGTERM", false],
  ] as const)("stops the run after %s, with a verdict", async (_, signal, group) => {
    const { variables, out, moneyMoves, verdict } = await against(SLOW);
    const run = startNpm(["certify", "--", "--select", "createTransfer/*", "--out", out], variables);
    const { pid = Number.NaN } = run.process;
    await moneyMoves();

    process.kill(group ? -pid : pid, signal);
    // As a CI job does after it was cancelled, while the suite may still be writing.
    const report = await startNpm(["report", "--", join(out, "latest")], {}).ended;
    const file = await verdict();
    await run.ended;

    expectInterrupted(file);
    expect(report).toMatchObject({
      code: 130,
      stdout: expect.stringContaining("INTERRUPTED, exit code 130"),
    });
  });
});

test.skipIf(process.platform === "win32")(
  "SIGINT to the process that a CI job started ends it with 130 before the job is killed",
  async () => {
    const { variables, out, moneyMoves, verdict } = await against(SLOW);
    const gate = ["gate", "--select", "createTransfer/*", "--out", out];
    const run = startProgram(join(PROJECT_ROOT, "conformance"), gate, { variables });
    await moneyMoves();

    run.process.kill("SIGINT");
    const { code } = await run.ended;

    expect(code).toBe(130);
    expectInterrupted(await verdict());
  },
);

test.skipIf(!existsSync("/usr/bin/script"))(
  "Ctrl-C three times within a second, in a terminal in which npm runs the suite, settles what was sent",
  async () => {
    const { variables, out, transfers, moneyMoves, verdict } = await against(SLOW);
    const typed = `npm --prefix "${PROJECT_ROOT}" --silent run certify -- --select "createTransfer/*" --out ${out}`;
    const run = startProgram("script", ["--quiet", "--return", "--command", typed, "/dev/null"], {
      variables,
      keepsInput: true,
    });
    await moneyMoves();

    for (let pressed = 0; pressed < 3; pressed += 1) {
      run.process.stdin?.write("\x03");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const file = await verdict();
    const ended = await run.ended;

    const accepted = transfers().filter(({ status }) => status === 201 || status === 200);
    expectInterrupted(file);
    expect(file.money.kept.count).toBeGreaterThanOrEqual(accepted.length);
    expect(stripVTControlCharacters(ended.stdout)).toContain("INTERRUPTED, exit code 130");
  },
);

test("after a signal, no further money call starts", async () => {
  const { variables, transfers, moneyMoves } = await against(SLOW);
  const ending = invoke(certify, ["--select", "createTransfer/*"], variables);
  await moneyMoves();

  process.emit("SIGINT");
  const stoppedAt = performance.now();
  const ended = await ending;

  // What had left already may still arrive; a further call would follow a response, 500 ms later.
  const late = transfers().filter(({ headersAt }) => headersAt > stoppedAt + 250);
  expect(late).toEqual([]);
  expect(ended).toMatchObject({
    code: 130,
    stdout: expect.stringContaining("INTERRUPTED, exit code 130"),
    stderr: expect.stringContaining("Stopping"),
  });
  expectInterrupted(verdictsIn(ended));
});

/** A sandbox that gives no response to a transfer that it could pay. */
const SILENT: Change = {
  id: "silent",
  on: ["createTransfer"],
  points: { wire: (wire, { call }) => (has("amount")(call) ? { ...wire, delayMs: 40_000 } : wire) },
};

test("a signal ends a run whose transfers get no response", async () => {
  const { variables, moneyMoves } = await against(SILENT);
  const ending = invoke(certify, ["--select", "createTransfer/*"], {
    ...variables,
    REQUEST_TIMEOUT_MS: "30000",
  });
  await moneyMoves();

  process.emit("SIGINT");
  const stoppedAt = performance.now();
  const ended = await ending;

  expect(ended.code).toBe(130);
  expectInterrupted(verdictsIn(ended));
  // Until then, the first transfer has no response; the machine may be busy.
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);
});
