import { parse } from "node:path";
import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import type { K6 } from "../generator/binary.ts";
import { readData, withData } from "../inputs/data.ts";
import { readMix } from "../inputs/mix.ts";
import { readShape } from "../inputs/shape.ts";
import { clientOf } from "../k6/client.ts";
import { MAX_ITERATIONS } from "../k6/templates/reference.ts";
import { iterationsOf } from "../k6/traffic/executor.ts";
import { type Profile, profiles, scale, secondsOf } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { workloads } from "../k6/traffic/workloads.ts";
import type { LoadRun, Records } from "../results/result.ts";
import { EVERYTHING, type Everything, everythingFor } from "./everything.ts";
import type { Options } from "./options.ts";
import { requireLength } from "./safety/interlocks.ts";
import { readObjectives } from "./slo.ts";

/** What a run is to send, as the command line and the configuration say. */
export type Plan = ReturnType<typeof planOf>;

/** Plans a run; throws a `CommandError` (2) if its length is wrong or a file that the operator names cannot be used. */
export function planOf(options: Options, target: Target) {
  const { baseUrl, embedded, values } = target;
  const { RATE: rate, DURATION: duration, TARGET_NAME, TARGET_VERSION: version } = values;
  const data = readData(target);
  const { name: workload, steps, ...chosen } = workloadOf(options, data ? withData(target, data) : target);
  const seconds = duration === undefined ? undefined : secondsOf(duration);
  const { name, ...shape } = profileOf(options);
  const profile = { name, ...scale(shape, rate, seconds) };
  const schedule = new Schedule(steps);
  const iterations = iterationsOf(profile);
  requireLength(workload, schedule, iterations, MAX_ITERATIONS);
  const about = {
    target: { ...(TARGET_NAME && { name: TARGET_NAME }), ...(version && { version }), baseUrl, embedded },
    workload,
    steps,
    profile,
    client: options.client,
    iterations,
  };
  const client = clientOf(options.client, target.timeoutMs);
  return { about, client, data, ...chosen, objectives: readObjectives(target) };
}

function workloadOf({ workload }: Options, target: Target): Everything & { name: string } {
  if (workload === EVERYTHING) return { name: workload, ...everythingFor(target) };
  const [name, steps] =
    typeof workload === "string"
      ? [workload, workloads[workload]]
      : [nameOf(workload.file), readMix(workload.file)];
  return { name, steps, around: [], leftOut: [] };
}

function profileOf({ profile, arrivals }: Options): Profile & { name: string } {
  const { name, ...shape } =
    typeof profile === "string"
      ? { name: profile, ...profiles[profile] }
      : { name: nameOf(profile.file), ...readShape(profile.file) };
  return { name, ...shape, ...(arrivals && { arrivals }) };
}

/** What the reports call a workload or a shape that comes from a file. */
const nameOf = (file: string) => parse(file).name;

/** The content of `run.json`. */
export const runOf = (
  { about, objectives }: Plan,
  records: Records,
  {
    runId,
    k6,
    command,
    runners,
  }: {
    readonly runId: string;
    readonly k6: K6;
    readonly command: string;
    readonly runners: number | undefined;
  },
): LoadRun => ({
  schema: "payments-conformance/load-run@1",
  suite: suiteIdentity(),
  ...about,
  records,
  runId,
  k6: k6.version,
  ...(runners !== undefined && { runners }),
  startedAt: new Date().toISOString(),
  command,
  ...(objectives && { objectives }),
});
