import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { type Command, print } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { medianOf } from "../compare/comparison.ts";
import { findK6 } from "../generator/binary.ts";
import { oneOf } from "../inputs/names.ts";
import { type Load, prepareTransfers } from "./transfers.ts";

type Transfers = Awaited<ReturnType<typeof prepareTransfers>>;

/** A measured value and the most that it may be. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly most: number;
}

const PAIRS = 5;
const LOADS = [
  { rate: 100, seconds: 60, most: 1.3 },
  { rate: 500, seconds: 30, most: 1.5 },
] as const;
/** A run so short that nearly all of its CPU time is the start of k6, which is taken off. */
const SHORT_SECONDS = 1;

/** Compares the CPU time of k6 for a transfer between the scripts of this suite and a minimal one, in turns. */
async function iterationCpu({ ours, minimal }: Transfers): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { most, ...load } of LOADS) {
    const cpuOf = async (send: (load: Load) => ReturnType<Transfers["minimal"]>) =>
      (await send(load)).cpuSeconds - (await send({ ...load, seconds: SHORT_SECONDS })).cpuSeconds;
    const ratios: number[] = [];
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      const least = await cpuOf(minimal);
      ratios.push((await cpuOf(ours)) / least);
      print(`  ${load.rate}/s, pair ${pair}: ${ratios.at(-1)?.toFixed(2)} times`);
    }
    const what = `CPU of an iteration at ${load.rate}/s`;
    figures.push({ what, value: medianOf(ratios), unit: "times the minimal script", most });
  }
  return figures;
}

const ROUNDS = 3;
const [FEW, MANY] = [200, 1000];
const TRANSFERS_EACH = 5;

/** Measures the memory of k6 for each virtual user (VU) more. */
async function vuMemory({ ours }: Transfers): Promise<Figure[]> {
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
  return [{ what: "memory", value: medianOf(slopes), unit: "MB per VU", most: 0.4 }];
}

const BENCHES = {
  "iteration-cpu": iterationCpu,
  "vu-memory": vuMemory,
} as const;

const names = Object.keys(BENCHES) as (keyof typeof BENCHES)[];

/** Prints the figures, and returns 1 if one of them misses its limit. */
export const bench: Command = defineCommand({
  name: "bench",
  about:
    "Measures what a load costs k6, on the sandbox and on Linux: one of these figures, or both in about 20 minutes.",
  takes: ["[name]..."],
  options: {},
  tables: {
    Names: {
      "iteration-cpu": "CPU time of k6 for a transfer, as a multiple of what a minimal script takes",
      "vu-memory": `peak memory of k6 for each virtual user (VU) more, from ${FEW} to ${MANY} of them`,
    },
    "Exit codes": {
      0: "every figure keeps its limit",
      1: "one does not",
      2: "usage error",
      3: "k6 or Linux is missing",
    },
  },
  run: async ({ words, env }) => {
    const example = "for example: npm run bench -- vu-memory";
    const chosen = words.map((name) => oneOf("bench", name, names, example));
    const k6 = await findK6({ named: env.K6_PATH, progress: print });
    const folder = mkdtempSync(join(tmpdir(), "payments-bench-"));
    const sandbox = await startSandbox();
    try {
      const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10000000", MAX_PAYOUT_TOTAL: "100000000000" };
      const target = parseTarget({ variables: { ...sandbox.env, ...consent }, embedded: false });
      const transfers = await prepareTransfers(target, k6, folder);
      let missed = 0;
      for (const name of chosen.length > 0 ? chosen : names) {
        const [load = 0] = loadavg();
        print(`${name} (load average ${load.toFixed(1)})`);
        for (const { what, value, unit, most } of await BENCHES[name](transfers)) {
          const isKept = value <= most;
          if (!isKept) missed += 1;
          print(`  ${isKept ? "kept  " : "MISSED"}  ${what}: ${value.toFixed(2)} ${unit} (at most ${most})`);
        }
      }
      return missed > 0 ? 1 : 0;
    } finally {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});
