import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, inject, test } from "vitest";
import { onRegistered } from "../../fixtures/engine/run/check.ts";
import type { Environment } from "../../reports/command-line/command.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { certify } from "./certify.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** BASE_URL as the environment of vitest had it; vitest takes this name for the base of its own paths. */
    baseUrl: string | undefined;
  }
}

/** What the last lines of `npm run certify` say. */
const WRITTEN_TO = /^Reports written to (.+): verdicts\.json/m;

let verdicts: Verdicts | undefined;

// A file of checks runs as `npm run certify` runs it, with its interlocks, plan, budget and reports; the tests show the
// verdicts. vitest loads this module for every file of checks, and again whenever it runs one again.
// biome-ignore lint/correctness/noEmptyPattern: vitest takes no other first parameter
beforeAll(async ({}, { tasks }) => {
  const chosen = tasks.filter((task) => task.type === "test" && task.mode !== "skip");
  verdicts = await verdictsOf(chosen.map(({ name }) => name));
});

onRegistered(({ info: { id } }) =>
  test(id, ({ skip }) => {
    const found = verdicts?.checks.find((check) => check.id === id);
    if (!found) throw new Error(`npm run certify reported nothing about ${id}`);
    const { verdict, message, actual = verdict, expected = "pass" } = found;
    if (verdict === "fail" || verdict === "suite-error")
      throw Object.assign(new Error(message), { actual, expected, stack: message });
    if (verdict === "inconclusive" || verdict === "not-tested") skip(message);
  }),
);

/** Certifies these checks; returns their verdicts. Throws what the command said if it ran none of them. */
async function verdictsOf(ids: readonly string[]): Promise<Verdicts> {
  const printed = { stdout: "", stderr: "" };
  const into = (stream: keyof typeof printed) => ({
    write: (text: string) => {
      printed[stream] += text;
      process[stream].write(text);
    },
  });
  const argv = ids.map((id) => `--select=${id}`);
  await certify({ argv, env: environment(), stdout: into("stdout"), stderr: into("stderr") });
  const [, folder] = WRITTEN_TO.exec(printed.stdout) ?? [];
  if (folder === undefined)
    throw new Error(printed.stderr.trim() || "npm run certify ended without a result");
  return JSON.parse(readFileSync(join(folder, "verdicts.json"), "utf8")) as Verdicts;
}

/** The environment of vitest, without what vitest itself adds to it. */
function environment(): Environment {
  const { BASE_URL: _, ...others } = process.env;
  return { ...others, BASE_URL: inject("baseUrl") };
}
