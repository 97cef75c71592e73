import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { patient } from "../k6/client.ts";
import type { Settings } from "../k6/settings.ts";
import { profiles } from "../k6/traffic/profiles.ts";
import { workloads } from "../k6/traffic/workloads.ts";
import { preparedOf } from "../testing/example-load.ts";
import { k6OrSkip } from "../testing/k6-present.ts";

/** k6 hangs on syntax that its compiler accepts and its engine does not. */
const MAX_MS = 60_000;

test("k6 reads the scripts, and takes their options", { timeout: MAX_MS + 5_000 }, async (context) => {
  const { path } = await k6OrSkip(context);
  const settings: Settings = {
    runId: "0",
    client: patient(10_000),
    objectives: {},
    metrics: true,
    workload: "transfers",
    steps: preparedOf(workloads.transfers).steps,
    profile: { name: "salary-day", ...profiles["salary-day"] },
  };
  const script = fileURLToPath(new URL("../k6/main.ts", import.meta.url));
  const environment = ["-e", `SETTINGS=${JSON.stringify(settings)}`];
  const args = ["inspect", "--execution-requirements", ...environment, script];

  const { stdout } = await promisify(execFile)(path, args, { timeout: MAX_MS });

  expect(JSON.parse(stdout)).toMatchObject({
    scenarios: { load: { executor: "ramping-arrival-rate" } },
    totalDuration: expect.stringMatching(/^1h10m/),
    maxRedirects: 0,
    thresholds: { "http_reqs{name:createTransfer}": ["count>0"], exceptions: ["count==0"] },
  });
});
