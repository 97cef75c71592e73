import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseTarget, type Target } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { findK6, type K6 } from "../generator/binary.ts";
import { bundleScripts } from "../generator/bundle.ts";
import { availableMb, commandLine } from "../generator/generator.ts";
import { outputConfigOf } from "../generator/outputs.ts";
import { cpuSecondsOfEndedChildren, memoryOf } from "../generator/usage.ts";
import { poolsOf } from "../inputs/pools.ts";
import { clientOf } from "../k6/client.ts";
import { columnOf, compile } from "../k6/templates/template.ts";
import { firstVus, optionsOf } from "../k6/traffic/executor.ts";
import { shaped } from "../k6/traffic/profiles.ts";
import { settingsOf } from "../launch/run.ts";
import { prepare, prepareProbes } from "../launch/templates.ts";

const PAIRS = 5;
const LOAD = { rate: 500, seconds: 30 };
const MOST_TIMES = 1.5;
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** A run so short that nearly all of its CPU time is the start of k6, which is taken off. */
const SHORT_SECONDS = 1;

const ROUNDS = 3;
const [FEW, MANY] = [200, 1000];
const TRANSFERS_EACH = 5;
const MOST_MB_PER_VU = 0.4;

/** Prints two figures, and returns 1 if one of them exceeds its limit. */
export const bench: Command = defineCommand({
  name: "bench",
  about: `Measures what a load costs k6, on the sandbox and on Linux, in about 10 minutes: the CPU time for a transfer, as a multiple
of what a minimal script takes, and the memory for each virtual user (VU) more, from ${FEW} to ${MANY} of them.`,
  options: {},
  tables: {
    "Exit codes": {
      0: "every figure keeps its limit",
      1: "one does not",
      2: "usage error",
      3: "k6 or Linux is missing",
    },
  },
  run: async ({ env }) => {
    const k6 = await findK6({ named: env.K6_PATH, progress: print });
    const folder = mkdtempSync(join(tmpdir(), "payments-bench-"));
    const sandbox = await startSandbox();
    try {
      const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10000000", MAX_PAYOUT_TOTAL: "100000000000" };
      const target = parseTarget({ variables: { ...sandbox.env, ...consent }, embedded: false });
      const senders = await sendersOf(target, k6, folder);
      print(`load average ${loadavg()[0]?.toFixed(1)}`);
      const kept = [await compareCpu(senders), await measureMemory(senders)];
      return kept.includes(false) ? 1 : 0;
    } finally {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

type Senders = Awaited<ReturnType<typeof sendersOf>>;

/** Compares the CPU time of k6 for a transfer between the scripts of this suite and a minimal one, in turns. */
async function compareCpu({ ours, minimal }: Senders): Promise<boolean> {
  const cpuOf = async (send: (load: Load) => ReturnType<Senders["minimal"]>) =>
    (await send(LOAD)).cpuSeconds - (await send({ ...LOAD, seconds: SHORT_SECONDS })).cpuSeconds;
  const ratios: number[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const least = await cpuOf(minimal);
    ratios.push((await cpuOf(ours)) / least);
    print(`  pair ${pair}: ${ratios.at(-1)?.toFixed(2)} times`);
  }
  return judge(`CPU of an iteration at ${LOAD.rate}/s`, ratios, "times the minimal script", MOST_TIMES);
}

/** Measures the memory of k6 for each virtual user (VU) more. */
async function measureMemory({ ours }: Senders): Promise<boolean> {
  const peakOf = async (vus: number) => {
    const users = ["--vus", `${vus}`, "--iterations", `${vus * TRANSFERS_EACH}`];
    return (await ours({ rate: vus, seconds: TRANSFERS_EACH }, vus, users)).peakMb;
  };
  const slopes: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [few, many] = [await peakOf(FEW), await peakOf(MANY)];
    slopes.push((many - few) / (MANY - FEW));
    print(`  round ${round}: ${few.toFixed(0)} MB with ${FEW} VUs, ${many.toFixed(0)} MB with ${MANY}`);
  }
  return judge("memory", slopes, "MB per VU", MOST_MB_PER_VU);
}

/** Prints the median of an odd number of values; returns whether it keeps its limit. */
function judge(what: string, values: readonly number[], unit: string, most: number): boolean {
  const median = values.toSorted((a, b) => a - b)[(values.length - 1) / 2] ?? Infinity;
  const isKept = median <= most;
  print(`  ${isKept ? "kept  " : "MISSED"}  ${what}: ${median.toFixed(2)} ${unit} (at most ${most})`);
  return isKept;
}

/** New transfers at a constant rate. */
interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** Time that k6 gets to start and to end. */
const OVERHEAD_SECONDS = 30;
const MEMORY_INTERVAL_MS = 50;

const newRunId = () => randomBytes(4).toString("hex");

/** Makes what sends new transfers, with the scripts of this suite or a minimal one, and measures k6 from start to end. */
async function sendersOf(target: Target, k6: K6, directory: string) {
  const client = new Client(target, newRunId(), { pathForms: BARE_PATHS });
  const prepared = await prepare(client, [{ operation: "createTransfer", weight: 1 }], poolsOf(target));
  const probes = await prepareProbes(client, Number.POSITIVE_INFINITY);
  await client.close();
  const kind = clientOf("patient", target.timeoutMs);
  const profileOf = ({ rate, seconds }: Load) => shaped([{ seconds, rate }]);
  const vusOf = (load: Load) => firstVus(profileOf(load), kind);
  const script = await bundleScripts(directory);
  const minimalScript = fileURLToPath(new URL("../k6/bench/minimal.ts", import.meta.url));
  const pool = { file: join(directory, "pool.json") };
  writeFileSync(pool.file, JSON.stringify(prepared.pools));
  /** Runs k6 to its end while no other child of this process ends; returns its CPU time and its peak memory. */
  const measure = async (
    { seconds }: Load,
    file: string,
    generation: Pick<Parameters<typeof commandLine>[0], "environment" | "vus" | "args">,
  ) => {
    const before = cpuSecondsOfEndedChildren();
    if (before === undefined) throw new CommandError(3, ["the bench reads /proc, so it needs Linux"]);
    const whole = { ...generation, directory, mostMemoryMb: availableMb() };
    const { args, environment: env } = commandLine(whole, file);
    const timeout = (seconds + OVERHEAD_SECONDS) * 1000;
    const ended = promisify(execFile)(k6.path, args, { env, timeout, killSignal: "SIGKILL" });
    let peakMb = 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOf(ended.child.pid)?.peak ?? 0);
    }, MEMORY_INTERVAL_MS);
    await ended.finally(() => clearInterval(timer));
    return { cpuSeconds: (cpuSecondsOfEndedChildren() ?? Number.NaN) - before, peakMb };
  };
  return {
    /** As a run of this suite starts k6, its log included; `args` may replace the rate by a number of virtual users. */
    ours: (load: Load, vus = vusOf(load), args: readonly string[] = []) => {
      const run = { workload: "bench", profile: { name: "bench", ...profileOf(load) }, runId: newRunId() };
      const settings = {
        ...settingsOf({ client, kind, prepared, run, outputs: outputConfigOf([], {}) }),
        ...(probes && { probes }),
        pool,
      };
      return measure(load, script, { environment: { SETTINGS: JSON.stringify(settings) }, vus, args });
    },
    /** The same load with a script that does no more than send it. */
    minimal: (load: Load) => {
      const [{ template }] = prepared.steps;
      const fill = compile(template.body ?? "", (place) => columnOf(prepared.pools, place));
      const environment = {
        URL: template.url,
        HEADERS: JSON.stringify(template.headers),
        BODY: fill("{reference}", 0),
        RUN: newRunId(),
        OPTIONS: JSON.stringify(optionsOf(profileOf(load), kind)),
      };
      return measure(load, minimalScript, { environment, vus: vusOf(load), args: [] });
    },
  };
}
