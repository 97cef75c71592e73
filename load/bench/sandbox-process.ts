import { startSandbox } from "../../fixtures/sandbox/service/server.ts";

/** Runs the sandbox in a process of its own, which ends with the one that started it. */
process.once("disconnect", () => process.exit());
const { env } = await startSandbox();
process.send?.(env);
