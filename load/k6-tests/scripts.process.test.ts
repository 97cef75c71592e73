import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { patient } from "../k6/client.ts";
import type { Settings } from "../k6/settings.ts";
import { profileNames, profiles } from "../k6/traffic/profiles.ts";
import { workloadNames, workloads } from "../k6/traffic/workloads.ts";
import { preparedOf } from "../testing/example-load.ts";
import { k6OrSkip } from "../testing/k6-present.ts";

const SCRIPT = fileURLToPath(new URL("../k6/main.ts", import.meta.url));
/** k6 hangs on syntax that its compiler accepts and its engine does not. */
const MAX_MS = 20_000;

const SETTINGS = { runId: "0", client: patient(10_000), objectives: {}, metrics: true };

const Requirements = z.object({
  totalDuration: z.string(),
  maxVUs: z.number(),
  maxRedirects: z.number(),
  scenarios: z.record(z.string(), z.object({ executor: z.string() })),
  thresholds: z.record(z.string(), z.array(z.string())),
});

describe("k6 inspect", () => {
  const combinations = workloadNames.flatMap((workload) =>
    profileNames.map((profile) => [workload, profile] as const),
  );

  test.for(combinations)(
    "reads the scripts for workload %s and profile %s",
    { timeout: MAX_MS + 5_000 },
    async ([workload, profile], context) => {
      const { path } = await k6OrSkip(context);
      const settings: Settings = {
        ...SETTINGS,
        workload,
        steps: preparedOf(workloads[workload]).steps,
        profile: { name: profile, ...profiles[profile] },
      };
      const environment = ["-e", `SETTINGS=${JSON.stringify(settings)}`];
      const args = ["inspect", "--execution-requirements", ...environment, SCRIPT];

      const { stdout } = await promisify(execFile)(path, args, { timeout: MAX_MS });

      const found = Requirements.parse(JSON.parse(stdout));
      expect(found.scenarios.load?.executor).toBe(
        profile === "smoke" ? "shared-iterations" : "ramping-arrival-rate",
      );
      expect(found.maxRedirects).toBe(0);
      expect(found.maxVUs).toBeGreaterThan(0);
      // A threshold on a tag passes without samples, so another one must count them.
      const tagged = Object.keys(found.thresholds).flatMap((name) => /\{name:(\w+)/.exec(name)?.[1] ?? []);
      expect(tagged).not.toEqual([]);
      for (const name of tagged) expect(found.thresholds[`http_reqs{name:${name}}`]).toEqual(["count>0"]);
    },
  );

  test("stops a runner whose responses are mostly server errors, and judges nothing else in it", {
    timeout: MAX_MS + 5_000,
  }, async (context) => {
    const { path } = await k6OrSkip(context);
    const { steps } = preparedOf(workloads.transfers);
    const profile = { name: "average", ...profiles.average };
    const settings: Settings = { ...SETTINGS, workload: "transfers", steps, profile, runners: 4 };
    const environment = ["-e", `SETTINGS=${JSON.stringify(settings)}`];

    const args = ["inspect", "--execution-requirements", ...environment, SCRIPT];
    const { stdout } = await promisify(execFile)(path, args, { timeout: MAX_MS });

    const found = z.looseObject({ thresholds: z.unknown() }).parse(JSON.parse(stdout));
    const threshold = "rate<=0.5";
    expect(found.thresholds).toEqual({
      server_errors: [{ threshold, abortOnFail: true, delayAbortEval: "30s" }],
    });
  });
});
