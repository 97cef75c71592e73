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
import { bundleScripts, commandLine, cpuSecondsOf, memoryOf } from "../generator/generator.ts";
import { outputConfigOf } from "../generator/outputs.ts";
import { clientOf, firstVus, optionsOf, shaped } from "../k6/profiles.ts";
import { compile } from "../k6/requests.ts";
import { prepareProbes, settingsOf } from "../launch/run.ts";
import { poolsOf, prepare } from "../launch/templates.ts";

/** New transfers at a constant rate. */
interface Load {
  readonly rate: number;
  readonly seconds: number;
}

const LOAD: Load = { rate: 500, seconds: 30 };
/** A run so short that nearly all of its CPU time is the start of k6, which is taken off. */
const SHORT: Load = { ...LOAD, seconds: 1 };
const MOST_TIMES = 1.5;
const [FEW, MANY] = [200, 1000];
const TRANSFERS_EACH = 5;
const MOST_MB_PER_VU = 0.4;
/** Time that k6 gets to start and to end. */
const OVERHEAD_SECONDS = 30;
const POLL_MS = 50;

const print = (text: string) => void process.stdout.write(`${text}\n`);

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
      const { ours, minimal } = await sendersOf(target, k6, folder);
      print(`load average ${loadavg()[0]?.toFixed(1)}`);
      const cpuOf = (send: typeof minimal, load: Load) => async () => (await send(load)).cpuSeconds;
      const peakOf = (vus: number) => async () => {
        const users = ["--vus", `${vus}`, "--iterations", `${vus * TRANSFERS_EACH}`];
        return (await ours({ rate: vus, seconds: TRANSFERS_EACH }, vus, users)).peakMb;
      };
      const runs = [cpuOf(minimal, LOAD), cpuOf(minimal, SHORT), cpuOf(ours, LOAD), cpuOf(ours, SHORT)];
      const isQuick = await judge(5, runs, {
        what: `CPU of an iteration at ${LOAD.rate}/s`,
        unit: "times the minimal script",
        most: MOST_TIMES,
        from: (minimalLoad, minimalShort, load, short) => (load - short) / (minimalLoad - minimalShort),
      });
      const isSmall = await judge(3, [peakOf(FEW), peakOf(MANY)], {
        what: "memory",
        unit: "MB per VU",
        most: MOST_MB_PER_VU,
        from: (few, many) => (many - few) / (MANY - FEW),
      });
      return isQuick && isSmall ? 0 : 1;
    } finally {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly most: number;
  /** The figure, from the lowest value of each measurement. */
  readonly from: (...lowest: number[]) => number;
}

/**
 * Makes some measurements in turn, several times, and prints the figure that the lowest value of each gives so far, since
 * whatever else the machine does only adds to them. Returns whether the last figure keeps its limit.
 */
async function judge(times: number, measurements: readonly (() => Promise<number>)[], figure: Figure) {
  const { what, unit, most, from } = figure;
  const lowest = measurements.map(() => Number.POSITIVE_INFINITY);
  let value = Number.POSITIVE_INFINITY;
  for (let turn = 1; turn <= times; turn += 1) {
    for (const [index, measure] of measurements.entries())
      lowest[index] = Math.min(lowest[index] ?? 0, await measure());
    value = from(...lowest);
    print(`  ${turn} of ${times}: ${value.toFixed(2)} ${unit}`);
  }
  const isKept = value <= most;
  print(`  ${isKept ? "kept  " : "MISSED"}  ${what}: ${value.toFixed(2)} ${unit} (at most ${most})`);
  return isKept;
}

const newRunId = () => randomBytes(4).toString("hex");

/** Makes what sends new transfers, with the scripts of this suite or a minimal one, and measures k6 from start to end. */
async function sendersOf(target: Target, k6: K6, directory: string) {
  const client = new Client(target, newRunId(), { pathForms: BARE_PATHS });
  const prepared = await prepare(client, [{ operation: "createTransfer", weight: 1 }], poolsOf(target));
  const probes = await prepareProbes(client, Number.POSITIVE_INFINITY);
  await client.close();
  const kind = clientOf("patient", target.timeoutMs);
  const vusOf = (load: Load) => firstVus(shaped([load]), kind);
  const script = await bundleScripts(directory);
  const pool = { file: join(directory, "pool.json") };
  writeFileSync(pool.file, JSON.stringify(prepared.pools));
  /** Runs k6 to its end; returns its CPU time and its peak memory. */
  const measure = async (
    { seconds }: Load,
    file: string,
    generation: Pick<Parameters<typeof commandLine>[0], "environment" | "vus" | "args">,
  ) => {
    const { args, environment: env } = commandLine({ ...generation, directory }, file);
    const timeout = (seconds + OVERHEAD_SECONDS) * 1000;
    const ended = promisify(execFile)(k6.path, args, { env, timeout, killSignal: "SIGKILL" });
    let [cpuSeconds, peakMb] = [0, 0];
    const timer = setInterval(() => {
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(ended.child.pid) ?? 0);
      peakMb = Math.max(peakMb, memoryOf(ended.child.pid)?.peak ?? 0);
    }, POLL_MS);
    await ended.finally(() => clearInterval(timer));
    if (cpuSeconds === 0) throw new CommandError(3, ["the bench reads /proc, so it needs Linux"]);
    return { cpuSeconds, peakMb };
  };
  return {
    /** As a run of this suite starts k6, its log included; `args` may replace the rate by a number of virtual users. */
    ours: (load: Load, vus = vusOf(load), args: readonly string[] = []) => {
      const run = { workload: "bench", profile: { name: "bench", ...shaped([load]) }, runId: newRunId() };
      const outputs = outputConfigOf([], {});
      const settings = { ...settingsOf({ client, kind, prepared, run, outputs }, probes), pool };
      return measure(load, script, { environment: { SETTINGS: JSON.stringify(settings) }, vus, args });
    },
    /** The same load with a script that does no more than send it. */
    minimal: (load: Load) => {
      const [{ template }] = prepared.steps;
      const fill = compile(template.body ?? "", (place) => prepared.pools[place] ?? []);
      const environment = {
        URL: template.url,
        HEADERS: JSON.stringify(template.headers),
        BODY: fill("{reference}", 0),
        RUN: newRunId(),
        OPTIONS: JSON.stringify(optionsOf(shaped([load]), kind)),
      };
      const minimalScript = fileURLToPath(new URL("../k6/bench/minimal.ts", import.meta.url));
      return measure(load, minimalScript, { environment, vus: vusOf(load), args: [] });
    },
  };
}
