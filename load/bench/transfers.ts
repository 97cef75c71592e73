import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Options } from "k6/options";
import { BARE_PATHS, Client } from "../../fixtures/http/client.ts";
import type { K6 } from "../generator/binary.ts";
import { bundleScripts } from "../generator/bundle.ts";
import { availableMb, commandLine } from "../generator/generator.ts";
import { handOver } from "../generator/hand-over.ts";
import { feed } from "../generator/outputs.ts";
import { poolsOf } from "../inputs/pools.ts";
import { patient } from "../k6/client.ts";
import { columnOf } from "../k6/templates/pool.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { compile } from "../k6/templates/template.ts";
import { firstVus, optionsOf } from "../k6/traffic/executor.ts";
import { shaped } from "../k6/traffic/profiles.ts";
import { prepareProbes } from "../launch/probes.ts";
import { settingsOf } from "../launch/settings.ts";
import { prepare } from "../launch/templates.ts";
import { measure, type Program } from "./processes.ts";
import { countTransfers, type Sandbox } from "./sandbox.ts";

const MINIMAL = fileURLToPath(new URL("../k6/bench/minimal.ts", import.meta.url));
/** Time that k6 gets to start and to end. */
const OVERHEAD_SECONDS = 30;

const newRunId = () => randomBytes(4).toString("hex");

/** New transfers at a constant rate. */
export interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** Makes the k6 commands that send new transfers to a sandbox: with the scripts of this suite, or with the minimal one. */
export async function prepareTransfers({ target }: Pick<Sandbox, "target">, k6: K6, directory: string) {
  const http = new Client(target, newRunId(), { pathForms: BARE_PATHS });
  const prepared = await prepare(http, [{ operation: "createTransfer", weight: 1 }], poolsOf(target));
  const probes = await prepareProbes(http, target, referencesOf(newRunId()), Infinity);
  await http.close();
  const client = patient(target.timeoutMs);
  const profileOf = ({ rate, seconds }: Load) => shaped([{ seconds, rate }]);
  const vusOf = (load: Load) => firstVus(profileOf(load), client);
  const script = await bundleScripts(directory);
  const pool = handOver(JSON.stringify(prepared.pools));
  const [{ template }] = prepared.steps;
  const fill = compile(template.body ?? "", (place) => columnOf(prepared.pools, place));
  const program = (
    { seconds }: Pick<Load, "seconds">,
    file: string,
    generation: Pick<Parameters<typeof commandLine>[0], "environment" | "vus" | "args">,
  ): Program => {
    const command = commandLine({ ...generation, directory, mostMemoryMb: availableMb() }, file);
    return {
      path: k6.path,
      args: command.args,
      env: command.environment,
      seconds: seconds + OVERHEAD_SECONDS,
      descriptors: pool.descriptors,
    };
  };
  const environmentOf = (options: Options, url = template.url) => ({
    URL: url,
    HEADERS: JSON.stringify(template.headers),
    BODY: fill("{reference}", 0),
    RUN: newRunId(),
    OPTIONS: JSON.stringify(options),
  });
  return {
    /** As the launcher starts k6, its log included; `args` may replace the rate by a number of virtual users. */
    ours: (load: Load, vus = vusOf(load), args: readonly string[] = []): Program => {
      const run = { workload: "bench", profile: { name: "bench", ...profileOf(load) }, runId: newRunId() };
      const sent = settingsOf({ target, prepared, run, outputs: feed([]) }, probes);
      const environment = { SETTINGS: JSON.stringify({ ...sent, pool: { file: pool.path } }) };
      return program(load, script, { environment, vus, args });
    },
    /** The same load with a script that does no more than send it. */
    minimal: (load: Load): Program => {
      const environment = environmentOf(optionsOf(profileOf(load), client));
      return program(load, MINIMAL, { environment, vus: vusOf(load), args: [] });
    },
    /** As many transfers to a service as some users can send one after the other; prints what k6 counted. */
    closed: (
      origin: string,
      { vus, seconds }: { readonly vus: number; readonly seconds: number },
    ): Program => {
      const { pathname } = new URL(template.url);
      const environment = environmentOf({ vus, duration: `${seconds}s` }, origin + pathname);
      return program({ seconds }, MINIMAL, { environment, vus, args: ["--summary-mode=compact"] });
    },
    release: pool.release,
  };
}

/**
 * The CPU that a k6 command takes for each transfer that arrives, in microseconds, from its start to its end; beyond a
 * `short` one, if there is one, so that the start of k6 does not count.
 */
export async function microsecondsEach(sandbox: Sandbox, program: Program, short?: Program): Promise<number> {
  const start = short ? await costOf(sandbox, short) : { cpuSeconds: 0, transfers: 0 };
  const all = await costOf(sandbox, program);
  return ((all.cpuSeconds - start.cpuSeconds) * 1e6) / (all.transfers - start.transfers);
}

async function costOf(sandbox: Sandbox, program: Program) {
  const before = await countTransfers(sandbox);
  const { cpuSeconds } = await measure(program);
  return { cpuSeconds, transfers: (await countTransfers(sandbox)) - before };
}
