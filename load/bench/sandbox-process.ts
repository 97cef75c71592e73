import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { slowedBy } from "../../fixtures/sandbox/variations/conditions/load.ts";

/** Runs the sandbox in a process of its own, which ends with the one that started it; the latency is given in milliseconds. */
process.once("disconnect", () => process.exit());
const latencyMs = Number(process.argv[2] ?? 0);
const { env } = await startSandbox({ variations: latencyMs > 0 ? [slowedBy(latencyMs)] : [] });
process.send?.(env);
