import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const source = (name: string) => fileURLToPath(new URL(`../k6/${name}.ts`, import.meta.url));

/** The script that k6 runs, and what it loads once for all virtual users. */
const MAIN = source("main");
const ONCE = source("run");

/**
 * Bundles the k6 scripts into a folder and returns the path of the one to run. Of the sources, each virtual user would keep
 * every module and every function, used or not.
 */
export async function bundleScripts(folder: string): Promise<string> {
  const once = join(folder, "run.js");
  const main = join(folder, "main.js");
  await Promise.all([bundle(ONCE, once), bundle(MAIN, main)]);
  return main;
}

async function bundle(input: string, file: string): Promise<void> {
  const build = await rolldown({ input, external: /^k6/, plugins: [apart], platform: "neutral" });
  await build.write({ file });
  await build.close();
}

/** Leaves {@link ONCE} out of the bundle that asks for it. */
const apart: Plugin = {
  name: "apart",
  resolveId: (name, importer) =>
    importer === MAIN && name === "./run.ts" ? { id: "./run.js", external: true } : undefined,
};
