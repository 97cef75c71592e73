import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { faults } from "../../fixtures/proof/faults/faults.ts";
import { loadFaults } from "../../fixtures/proof/faults/under-load/load-faults.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { start } from "../../fixtures/testing/spawned.ts";
import { findK6 } from "../generator/binary.ts";
import { load } from "../launch/main.ts";
import type { LoadResult } from "../results/result.ts";

type Variables = Readonly<Record<string, string>>;

const k6 = await findK6({ mayBuild: false }).catch((error: unknown) => {
  if (process.env.CI) throw error;
  return undefined;
});

/** k6 on this machine. */
export const k6Path = k6?.path ?? "";

/** A test that needs k6: without one it is skipped, or fails if CI is set. `npm run load` finds or builds k6. */
export const loadTest = test.skipIf(k6 === undefined);

/** Starts `npm run load` in a folder of its own, with these variables and none of this process. */
export const startLoad = (
  args: string | readonly string[],
  variables: Variables = {},
  folder = temporaryFolder(),
) => start("load", typeof args === "string" ? args.split(" ") : args, { HOME: folder, ...variables }, folder);

/** Runs `npm run load` in this process, which takes less time than to start another. */
export const invokeLoad = (args: string, variables: Variables, folder = temporaryFolder()) =>
  invoke(load, args.split(" "), { HOME: folder, ...variables }, folder);

/** A file of the newest load run below a folder. */
export const latestFile = (folder: string, name: string) => join(folder, "reports/out/latest-load", name);

/** The text of a file of the newest load run below a folder. */
export const latestText = (folder: string, name: string) => readFileSync(latestFile(folder, name), "utf8");

/** The result of the newest load run below a folder. */
export const resultIn = (folder: string) => JSON.parse(latestText(folder, "result.json")) as LoadResult;

/** Waits until something has come true while a load runs. */
export const untilTrue = (condition: () => boolean) =>
  expect.poll(condition, { timeout: 15_000, interval: 50 }).toBe(true);

/** The text of the only ledger below a folder. */
export function ledgerIn(folder: string): string {
  const [name = ""] = readdirSync(join(folder, "reports/ledger"));
  return readFileSync(join(folder, "reports/ledger", name), "utf8");
}

/** The text of all files below a folder. */
export const textIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), "utf8"))
    .join("\n");

/** The fault with this id, whether it shows always or only under load. */
export function faultCalled(id: string): Change {
  const found = [...faults, ...loadFaults].find((fault) => fault.id === id);
  if (!found) throw new Error(`there is no fault ${id}`);
  return found;
}

/** A sandbox with these changes, and the variables with which an operator lets a load pay there. */
export async function deployment(changes: readonly Change[] = []) {
  const sandbox = await startSandbox({ changes });
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "3000", MAX_PAYOUT_TOTAL: "100000000" };
  const variables: Record<string, string> = { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2" };
  return { sandbox, variables };
}

/** 60 requests: a whole cycle of the transfer mix, repeats included. */
export const SHORT = { RATE: "40", DURATION: "1500ms" };

/** Loads a deployment with these changes to its end, and reads the result. */
export async function loadDeployment(
  args: string,
  {
    changes = [],
    ...variables
  }: { readonly changes?: readonly Change[] } & Readonly<Record<string, unknown>> = {},
  folder = temporaryFolder(),
) {
  const deployed = await deployment(changes);
  const given: Variables = { ...deployed.variables, ...SHORT, ...(variables as Variables) };
  const ended = await startLoad(args, given, folder).ended;
  if (!existsSync(latestFile(folder, "result.json")))
    throw new Error(`no result, and exit code ${ended.code}: ${ended.stderr}`);
  return { ...ended, folder, variables: given, result: resultIn(folder) };
}

/** The invariants of a result that are in this state, by their ids. */
export const invariantsIn = ({ invariants }: LoadResult, state: string) =>
  invariants.flatMap((one) => (one.state === state ? [one.id] : []));
