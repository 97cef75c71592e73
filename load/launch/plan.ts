import { suiteIdentity } from "../../fixtures/config/run-folder.ts";
import type { Target } from "../../fixtures/config/target.ts";
import type { K6 } from "../generator/binary.ts";
import { iterationsOf, type ProfileName, profiles, scale, secondsOf } from "../k6/profiles.ts";
import { MAX_ITERATIONS } from "../k6/reference.ts";
import { Schedule } from "../k6/schedule.ts";
import { type WorkloadName, workloads } from "../k6/workloads.ts";
import type { LoadRun } from "../results/result.ts";
import { requireLength } from "./interlocks.ts";
import { readObjectives } from "./slo.ts";

/** What a run is to send, as the command line and the configuration say. */
export type Plan = ReturnType<typeof planOf>;

/** Plans a run; throws a `CommandError` (2) if its length is wrong or its objectives cannot be read. */
export function planOf(workload: WorkloadName, name: ProfileName, target: Target) {
  const { baseUrl, embedded, values } = target;
  const { RATE: rate, DURATION: duration, TARGET_NAME, TARGET_VERSION: version } = values;
  const seconds = duration === undefined ? undefined : secondsOf(duration);
  const profile = { name, ...scale(profiles[name], rate, seconds) };
  const schedule = new Schedule(workloads[workload]);
  const iterations = iterationsOf(profile);
  requireLength(workload, schedule, iterations, MAX_ITERATIONS);
  const about = {
    target: { ...(TARGET_NAME && { name: TARGET_NAME }), ...(version && { version }), baseUrl, embedded },
    workload,
    profile,
    iterations,
  };
  return { about, schedule, objectives: readObjectives(target) };
}

/** The content of `run.json`. */
export const runOf = ({ about, objectives }: Plan, runId: string, { version }: K6): LoadRun => ({
  schema: "payments-conformance/load-run@1",
  suite: suiteIdentity(),
  ...about,
  runId,
  k6: version,
  startedAt: new Date().toISOString(),
  command: ["npm run load --", ...process.argv.slice(2)].join(" "),
  ...(objectives && { objectives }),
});
