import { CommandError } from "../../fixtures/config/command-line.ts";
import { suiteIdentity } from "../../fixtures/config/run-folder.ts";
import { readConfiguration, type Target } from "../../fixtures/config/target.ts";
import { reach } from "../../fixtures/embedded.ts";
import { Client, type PathForms } from "../../fixtures/http/client.ts";
import { preflight } from "../../fixtures/run/preflight.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { operations } from "../../schemas/contract.ts";
import { iterationsOf, profiles, scale } from "../k6/profiles.ts";
import { MAX_ITERATIONS } from "../k6/reference.ts";
import { Schedule } from "../k6/schedule.ts";
import { workloads } from "../k6/workloads.ts";
import { renderResult, renderStart } from "../results/console.ts";
import type { LoadRun } from "../results/result.ts";
import { findK6 } from "./binary.ts";
import { execute } from "./execution.ts";
import { refuseLength, refuseUnasked, scaleOf } from "./interlocks.ts";
import { moneyCalls, sumOf } from "./money.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { openRun } from "./run-folder.ts";
import { readObjectives } from "./slo.ts";
import { prepare } from "./templates.ts";

/** Seed of the embedded sandbox: a load run compares with others only over the same data. */
const SEED = 1;

/** Runs `npm run load`; returns the exit code, and has printed why. */
export async function load(): Promise<number> {
  try {
    const options = readOptions();
    if (options === "help") return print(usage());
    if (options === "version") return print(suiteIdentity().version);
    const reached = await reach(readConfiguration(), SEED);
    try {
      return await loadTarget(options, reached.target);
    } finally {
      await reached.close();
    }
  } catch (error) {
    const problems = error instanceof CommandError ? error.problems : [String(error)];
    for (const problem of problems) process.stderr.write(`${problem.split("\n")[0]}\n`);
    return error instanceof CommandError ? error.exitCode : 70;
  }
}

async function loadTarget(options: Options, target: Target): Promise<number> {
  const { rate, seconds } = scaleOf(target);
  const profile = { name: options.profile, ...scale(profiles[options.profile], rate, seconds) };
  const schedule = new Schedule(workloads[options.workload]);
  const iterations = iterationsOf(profile);
  refuseLength(options.workload, schedule, iterations, MAX_ITERATIONS);
  const objectives = readObjectives(target);
  const about = { target: describe(target), workload: options.workload, profile, iterations };

  // Built from the same data as the load, so that what is refused is refused before anything is sent.
  const draft = await withClient(target, DRAFT, BARE, (client) => prepare(client, options.workload));
  const planned = sumOf(moneyCalls(DRAFT, schedule, iterations, draft));
  refuseUnasked(target, options.workload, profile, draft, planned);
  if (options.dryRun) return print(`${renderStart(about)}${describeMoney(planned)}`);

  const k6 = await findK6({ named: target.values.K6_PATH, progress: tell });
  const folder = openRun(options.out);
  const { pathForms } = await preflight(target, folder.runId);
  process.stdout.write(renderStart(about));
  return withClient(target, folder.runId, pathForms, async (client) => {
    const prepared = await prepare(client, options.workload);
    const run: LoadRun = {
      schema: "payments-conformance/load-run@1",
      suite: suiteIdentity(),
      ...about,
      runId: folder.runId,
      k6: k6.version,
      startedAt: new Date().toISOString(),
      command: ["npm run load --", ...process.argv.slice(2)].join(" "),
      ...(objectives && { objectives }),
    };
    const calls = moneyCalls(folder.runId, schedule, iterations, prepared);
    const result = await execute({ target, client, k6, folder, run, schedule, prepared, calls });
    process.stdout.write(renderResult(result, { ...consoleOptions(), directory: folder.path }));
    return result.exitCode;
  });
}

/** Run id of requests that are only built. */
const DRAFT = "00000000";
const BARE = Object.fromEntries(operations.map(({ id }) => [id, "bare"])) as PathForms;

async function withClient<T>(
  target: Target,
  runId: string,
  pathForms: PathForms,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(target, runId, { pathForms });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

function describe({ values, baseUrl, embedded }: Target): LoadRun["target"] {
  const { TARGET_NAME: name, TARGET_VERSION: version } = values;
  return { ...(name && { name }), ...(version && { version }), baseUrl, embedded };
}

const describeMoney = ({ count, total }: { count: number; total: number }) =>
  count > 0 ? `Money: ${count} calls, ${total} in all, as sent.` : "Money: none moves.";

const tell = (line: string) => process.stderr.write(`${line}\n`);

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
