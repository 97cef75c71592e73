import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const source = (name: string) => fileURLToPath(new URL(`../k6/${name}.ts`, import.meta.url));

/** The modules that main.ts loads by itself, with `require`. */
const APART = ["traffic/executor", "timing"];

/**
 * Bundles the k6 scripts into a folder and returns the path of the one to run. Of the sources, each virtual user would keep
 * every module and every function, used or not.
 */
export async function bundleScripts(folder: string): Promise<string> {
  await build({
    entryPoints: ["main", ...APART].map(source),
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2023",
    external: ["k6", "k6/*"],
    plugins: [apart],
  });
  // esbuild has a process of its own, which would go on.
  await stop();
  return join(folder, "main.js");
}

/** What not every virtual user loads is left out, and is a bundle of its own. */
const apart: Plugin = {
  name: "apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^\\./(${APART.join("|")})\\.ts$`) }, ({ path }) => ({
      path: path.replace(/ts$/, "js"),
      external: true,
    })),
};
