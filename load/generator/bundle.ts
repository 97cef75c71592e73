import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

/** The script to run, and the modules that it loads by itself, with `require`, only where they are needed. */
const SCRIPTS = ["main", "profiles", "timing"];

/**
 * Bundles the k6 scripts into a folder and returns the path of the one to run. Of the sources, each virtual user would keep
 * every module and every function, used or not.
 */
export async function bundleScripts(folder: string): Promise<string> {
  await build({
    entryPoints: SCRIPTS.map((name) => fileURLToPath(new URL(`../k6/${name}.ts`, import.meta.url))),
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2023",
    external: ["k6", "k6/*", "./profiles.js", "./timing.js"],
  });
  // esbuild has a process of its own, which would go on.
  await stop();
  return join(folder, "main.js");
}
