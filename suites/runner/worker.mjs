import { register as registerHooks } from "node:module";
import { register } from "tsx/esm/api";

// A thread has loaders of its own.
register();
registerHooks("../../reports/command-line/package-loader.ts", import.meta.url);
await import("./worker.ts");
