import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { operations } from "../../schemas/contract.ts";
import { consented } from "../testing/consented.ts";
import { start, startInTerminal, startNpm, verdictsIn } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

/** A sandbox whose money calls take a while, so that some are under way when the run is interrupted. */
const SLOW: Change = {
  id: "slow",
  on: operations.filter(({ effect }) => effect === "money").map(({ id }) => id),
  points: { wire: (wire) => ({ ...wire, delayMs: 500 }) },
};

async function until(what: string, holds: () => boolean) {
  const deadline = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.skipIf(process.platform === "win32")("a signal to npm while money moves", () => {
  test.each([
    ["Ctrl-C, which the whole group gets", "SIGINT", true],
    ["the end of npm alone", "SIGTERM", false],
  ] as const)("stops the run after %s, with a verdict", async (_, signal, group) => {
    const sandbox = await startSandbox({ fault: SLOW });
    onTestFinished(() => sandbox.close());
    const paid = () => sandbox.log.filter(({ operation }) => operation === "createTransfer");
    const folder = temporaryFolder();
    const args = ["run", "certify", "--", "--select", "createTransfer/*", "--out", folder];
    const run = startNpm(args, { ...consented(sandbox.env), LEDGER_DIR: join(folder, "ledger") });
    const { pid } = run.process;
    if (pid === undefined) throw new Error("npm was not started");
    await until("money moves", () => paid().some(({ bytes, status }) => bytes > 0 && status === undefined));

    process.kill(group ? -pid : pid, signal);
    const verdicts = join(folder, "latest", "verdicts.json");
    await until("the run leaves its verdict", () => existsSync(verdicts));
    await run.ended;

    const file = JSON.parse(readFileSync(verdicts, "utf8")) as Verdicts;
    expect(file).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(file.checks.some(({ verdict }) => verdict === "suite-error")).toBe(false);
    expect(file.checks.filter(({ reason }) => reason === "interrupted").length).toBeGreaterThan(0);
    expect(file.money.kept.count).toBeGreaterThan(0);
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("Ctrl-C in a terminal in which npm runs the suite", () => {
  test.each([
    ["once", 1],
    ["three times within a second", 3],
  ])("settles what was sent, and leaves a verdict, when it is pressed %s", async (_, times) => {
    const sandbox = await startSandbox({ fault: SLOW });
    onTestFinished(() => sandbox.close());
    const paid = () => sandbox.log.filter(({ operation }) => operation === "createTransfer");
    const folder = temporaryFolder();
    const variables = { ...consented(sandbox.env), LEDGER_DIR: join(folder, "ledger") };
    const run = startInTerminal(`run certify -- --select "createTransfer/*" --out ${folder}`, variables);
    await until("money moves", () => paid().some(({ bytes, status }) => bytes > 0 && status === undefined));

    for (let pressed = 0; pressed < times; pressed += 1) {
      run.type("\x03");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const verdicts = join(folder, "latest", "verdicts.json");
    await until("the run leaves its verdict", () => existsSync(verdicts));
    const ended = await run.ended;

    const file = JSON.parse(readFileSync(verdicts, "utf8")) as Verdicts;
    const paidForSure = paid().filter(({ status }) => status === 201 || status === 200);
    expect(file).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(file.checks.some(({ verdict }) => verdict === "suite-error")).toBe(false);
    expect(file.money.kept.count).toBeGreaterThanOrEqual(paidForSure.length);
    expect(stripVTControlCharacters(ended.stdout)).toContain("INTERRUPTED, exit code 130");
  });
});

describe("Ctrl-C while money moves", () => {
  test("starts no further money call, settles what was sent, and leaves a readable verdict", async () => {
    const sandbox = await startSandbox({ fault: SLOW });
    onTestFinished(() => sandbox.close());
    const paid = () => sandbox.log.filter(({ operation }) => operation === "createTransfer");
    const run = start("certify", ["--select", "createTransfer/*"], consented(sandbox.env));
    await until("money moves", () => paid().some(({ bytes, status }) => bytes > 0 && status === undefined));

    run.process.kill("SIGINT");
    await until("the run says that it stops", () => run.printed().includes("Stopping"));
    const stoppedAt = performance.now();
    const ended = await run.ended;

    const file = verdictsIn(ended);
    // What had left already may still arrive; a further call would follow an answer, 500 ms later.
    const late = paid().filter(({ headersAt }) => headersAt > stoppedAt + 250);
    expect(ended.code).toBe(130);
    expect(file).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(late).toEqual([]);
    expect(file.checks.filter(({ reason }) => reason === "interrupted").length).toBeGreaterThan(0);
    expect(file.checks.some(({ verdict }) => verdict === "suite-error")).toBe(false);
    expect(file.money.kept.count).toBeGreaterThan(0);
    expect(ended.stdout).toContain("INTERRUPTED, exit code 130");
  });
});
