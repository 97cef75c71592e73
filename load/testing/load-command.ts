import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { loadFaults } from "../../fixtures/mutants/faults/under-load/load-faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { nodeArguments } from "../../fixtures/testing/scripts.ts";
import type { LoadResult } from "../results/result.ts";

/** A running `npm run load`. */
interface Started {
  readonly folder: string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  kill(signal: "SIGINT" | "SIGKILL"): void;
}

/** Starts `npm run load` in a folder of its own, with these variables and none of this process. */
export function startLoad(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): Started {
  const child = spawn(process.execPath, nodeArguments("load", args), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...variables },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { folder, ended, kill: (signal) => child.kill(signal) };
}

/** A file of the newest load run below a folder. */
export const latestFile = (folder: string, name: string) => join(folder, "reports/out/latest-load", name);

/** Waits until something has come true while a load runs. */
export const untilTrue = (condition: () => boolean) =>
  expect.poll(condition, { timeout: 15_000, interval: 50 }).toBe(true);

/** The result of the newest load run below a folder. */
export const resultIn = (folder: string) =>
  JSON.parse(readFileSync(latestFile(folder, "result.json"), "utf8")) as LoadResult;

/** The variables of a deployment that has this fault under load, or none, as an operator would set them. */
export async function deploymentUnderLoad(fault?: string): Promise<Record<string, string>> {
  const found = loadFaults.find(({ id }) => id === fault);
  if (fault !== undefined && !found) throw new Error(`there is no fault ${fault}`);
  const sandbox = await startSandbox(found ? { fault: found } : {});
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "2000", MAX_PAYOUT_TOTAL: "100000000" };
  return { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2" };
}

/** 1,200 requests, 840 of them new transfers: one in 500 of them is lost. */
const MUCH = { RATE: "400", DURATION: "3s" };

/** Loads a deployment that has this fault under load, or none, with transfers. */
export async function loadTransfers(profile: string, fault?: string) {
  const variables = { ...(await deploymentUnderLoad(fault)), ...MUCH };
  const { folder, ended } = startLoad(["transfers", "--profile", profile], variables);
  const { code, stdout, stderr } = await ended;
  if (!existsSync(latestFile(folder, "result.json")))
    throw new Error(`no result, and exit code ${code}: ${stderr}`);
  return { code, stdout, result: resultIn(folder) };
}

/** Loads a deployment that has this fault under load, and expects that the run fails by the invariant and names where. */
export async function expectBroken(profile: string, fault: string, invariant: string) {
  const { code, stdout, result } = await loadTransfers(profile, fault);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`FAILED .*${invariant} \\(`)),
  });
  const found = result.invariants.find((one) => one.id === invariant);
  expect(found?.state).toBe("broken");
  expect(found?.references.length).toBeGreaterThan(0);
}
