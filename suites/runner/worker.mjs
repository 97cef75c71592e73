import { register } from "tsx/esm/api";

// A thread needs a loader of its own.
register();
await import("./worker.ts");
