import { startSandbox } from "/work/main/fixtures/sandbox/server.ts";
import { faults } from "/work/main/fixtures/sandbox/faults.ts";
import { spawnSync, spawn } from "node:child_process";
const fault = faults.find((f) => f.id === process.argv[2]);
const sandbox = await startSandbox({ ...(fault && { fault }) });
const env = { ...process.env, ...sandbox.env, ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1000", MAX_PAYOUT_TOTAL: "1000000000", ALLOW_CREATE: "true", PROBE_WRITES: "true", SETTLE_SECONDS: "0.2" };
const child = spawn("node", ["--import", "tsx", "suites/certify.ts", "certify", ...process.argv.slice(3)], { env, stdio: "inherit", cwd: "/work/main" });
child.on("exit", async (code) => { console.log("exit", code); await sandbox.close(); });
