import { register } from "tsx/esm/api";

// A thread needs a loader of its own.
register();
const { runHere } = await import("./thread.ts");
await runHere();
