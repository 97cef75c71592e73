import { readFile } from "node:fs/promises";
import type { LoadHook } from "node:module";

/** Reads the ES modules of packages, and leaves everything else to the loader that was there before. */
export const load: LoadHook = async (url, context, nextLoad) =>
  context.format === "module" && url.startsWith("file:") && url.includes("/node_modules/")
    ? { format: "module", source: await readFile(new URL(url)), shortCircuit: true }
    : nextLoad(url, context);
