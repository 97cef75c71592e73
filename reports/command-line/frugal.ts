import { register } from "node:module";
import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 collect garbage before it asks for more memory, which it otherwise does last. Loading the suite alone would
 * take a quarter more of it.
 */
export const useLittleMemory = () => setFlagsFromString("--optimize-for-size");

/**
 * Loads the packages that are imported from now on as they are. tsx would look for TypeScript in each of their modules, and
 * a run of all checks takes 565 MB with that and 435 MB without.
 */
export const loadPackagesAsTheyAre = () => register("./package-loader.ts", import.meta.url);
