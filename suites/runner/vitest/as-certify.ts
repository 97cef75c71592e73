import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, inject } from "vitest";
import { nodeArguments } from "../../../fixtures/testing/scripts.ts";
import type { Verdicts } from "../../../reports/verdicts/run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** BASE_URL as the environment of vitest had it; vitest takes this name for the base of its own paths. */
    baseUrl: string | undefined;
  }
}

/** What the last lines of `npm run certify` say. */
const WRITTEN_TO = /^Reports written to (.+): verdicts\.json/m;

// A file of checks runs as `npm run certify` runs it, with its interlocks, plan, budget and reports; the tests show the
// verdicts. vitest loads this module for every file of checks, and again whenever it runs one again.
// biome-ignore lint/correctness/noEmptyPattern: vitest takes no other first parameter
beforeAll(async ({}, { tasks }) => {
  const chosen = tasks.filter((task) => task.type === "test" && task.mode !== "skip");
  const verdicts = await certify(chosen.map(({ name }) => name));
  for (const { name, meta } of chosen)
    Object.assign(meta, { result: verdicts.checks.find(({ id }) => id === name) });
});

/** Runs these checks; returns their verdicts. Throws what the command said if it ran none of them. */
async function certify(ids: readonly string[]): Promise<Verdicts> {
  const selected = nodeArguments(
    "certify",
    ids.map((id) => `--select=${id}`),
  );
  const child = spawn(process.execPath, selected, {
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
      process[stream].write(text);
    });
  await new Promise((resolve) => child.once("close", resolve));
  const [, folder] = WRITTEN_TO.exec(printed.stdout) ?? [];
  if (folder === undefined)
    throw new Error(printed.stderr.trim() || "npm run certify ended without a result");
  return JSON.parse(readFileSync(join(folder, "verdicts.json"), "utf8")) as Verdicts;
}

/** The environment of vitest, without what vitest itself adds to it. */
function environment(): NodeJS.ProcessEnv {
  const { BASE_URL, MODE, NODE_ENV, ...others } = process.env;
  const own = Object.entries(others).filter(([name]) => !/^(VITEST|DEV$|PROD$|SSR$|TEST$)/.test(name));
  const baseUrl = inject("baseUrl");
  return { ...Object.fromEntries(own), ...(baseUrl !== undefined && { BASE_URL: baseUrl }) };
}
