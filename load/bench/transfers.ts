import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import type { K6 } from "../generator/binary.ts";
import { bundleScripts } from "../generator/bundle.ts";
import { availableMb, commandLine } from "../generator/generator.ts";
import { feed } from "../generator/outputs.ts";
import { cpuSecondsOfEndedChildren, memoryOf } from "../generator/usage.ts";
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

const MINIMAL = fileURLToPath(new URL("../k6/bench/minimal.ts", import.meta.url));
/** Time that k6 gets to start and to end. */
const OVERHEAD_SECONDS = 30;
const LOOK_MS = 50;

const newRunId = () => randomBytes(4).toString("hex");

/** New transfers at a constant rate. */
export interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** Makes what sends new transfers with k6, with the scripts of this suite or a minimal one, and measures it from start to end. */
export async function prepareTransfers(target: Target, k6: K6, directory: string) {
  const http = new Client(target, newRunId(), { pathForms: BARE_PATHS });
  const prepared = await prepare(http, [{ operation: "createTransfer", weight: 1 }], poolsOf(target));
  const probes = await prepareProbes(http, target, referencesOf(newRunId()), Infinity);
  await http.close();
  const client = patient(target.timeoutMs);
  const profileOf = ({ rate, seconds }: Load) => shaped([{ seconds, rate }]);
  const vusOf = (load: Load) => firstVus(profileOf(load), client);
  const script = await bundleScripts(directory);
  const pool = { file: join(directory, "pool.json") };
  writeFileSync(pool.file, JSON.stringify(prepared.pools));
  const [{ template }] = prepared.steps;
  const fill = compile(template.body ?? "", (place) => columnOf(prepared.pools, place));
  /** Runs k6 to its end while no other child of this process ends; returns its CPU time and its peak memory. */
  const measure = async (
    { seconds }: Load,
    file: string,
    generation: Pick<Parameters<typeof commandLine>[0], "environment" | "vus" | "args">,
  ) => {
    const before = cpuSecondsOfEndedChildren();
    if (before === undefined) throw new CommandError(3, ["the bench reads /proc, so it needs Linux"]);
    const { args, environment: env } = commandLine(
      { ...generation, directory, mostMemoryMb: availableMb() },
      file,
    );
    const timeout = (seconds + OVERHEAD_SECONDS) * 1000;
    const ended = promisify(execFile)(k6.path, args, { env, timeout, killSignal: "SIGKILL" });
    let peakMb = 0;
    const look = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOf(ended.child.pid)?.peak ?? 0);
    }, LOOK_MS);
    await ended.finally(() => clearInterval(look));
    return { cpuSeconds: (cpuSecondsOfEndedChildren() ?? Number.NaN) - before, peakMb };
  };
  return {
    /** As the launcher starts k6, its log included; `args` may replace the rate by a number of virtual users. */
    ours: (load: Load, vus = vusOf(load), args: readonly string[] = []) => {
      const sent = { workload: "bench", profile: { name: "bench", ...profileOf(load) }, runId: newRunId() };
      const settings = settingsOf({ target, prepared, run: sent, outputs: feed([]) }, probes);
      const environment = { SETTINGS: JSON.stringify({ ...settings, pool }) };
      return measure(load, script, { environment, vus, args });
    },
    /** The same load with a script that does no more than send it. */
    minimal: (load: Load) => {
      const environment = {
        URL: template.url,
        HEADERS: JSON.stringify(template.headers),
        BODY: fill("{reference}", 0),
        RUN: newRunId(),
        OPTIONS: JSON.stringify(optionsOf(profileOf(load), client)),
      };
      return measure(load, MINIMAL, { environment, vus: vusOf(load), args: [] });
    },
  };
}
