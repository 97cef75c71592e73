import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { print, runCommand } from "../../reports/text/command.ts";
import { HELP, helpText, readCommandLine } from "../../reports/text/command-line.ts";
import { findK6 } from "../generator/binary.ts";
import { oneOf } from "../inputs/names.ts";
import type { Bench } from "./bench.ts";
import { isKept, renderFigure, written } from "./figures.ts";
import { iterationCpu } from "./iteration-cpu.ts";
import { reconciliation } from "./reconciliation.ts";
import { sandboxRate } from "./sandbox-rate.ts";
import { slowTarget } from "./slow-target.ts";
import { soakMemory } from "./soak-memory.ts";
import { vuMemory } from "./vu-memory.ts";

const BENCHES = {
  "iteration-cpu": iterationCpu,
  "vu-memory": vuMemory,
  "slow-target": slowTarget,
  reconciliation,
  "sandbox-rate": sandboxRate,
  "soak-memory": soakMemory,
} as const satisfies Readonly<Record<string, Bench>>;

type Name = keyof typeof BENCHES;
const names = Object.keys(BENCHES) as Name[];

/** Runs `npm run bench`; prints the figures, and returns 1 if one of them misses its limit. */
async function bench(): Promise<number> {
  const { values, positionals } = readCommandLine("bench", { help: HELP }, { allowPositionals: true });
  if (values.help) return print(usage());
  const chosen = positionals.map((name) =>
    oneOf("bench", name, names, "for example: npm run bench -- vu-memory"),
  );
  const k6 = await findK6({ named: process.env.K6_PATH, progress: print });
  let missed = 0;
  for (const name of chosen.length > 0 ? chosen : names) missed += await runBench(name, k6);
  return missed > 0 ? 1 : 0;
}

/** Returns how many figures miss their limit. */
async function runBench(name: Name, k6: Awaited<ReturnType<typeof findK6>>): Promise<number> {
  const { about, run }: Bench = BENCHES[name];
  print(`${name}: ${about} (load average ${loadavg().map(written).join(", ")})`);
  const folder = mkdtempSync(join(tmpdir(), "payments-bench-"));
  const begun = performance.now();
  try {
    const figures = await run({ k6, folder, say: (line) => print(`  ${line}`) });
    for (const figure of figures) print(`  ${renderFigure(figure)}`);
    print(
      `  took ${written((performance.now() - begun) / 1000)} s, load average ${loadavg().map(written).join(", ")}`,
    );
    return figures.filter((figure) => !isKept(figure)).length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const usage = () =>
  helpText(
    "bench -- [<name>...]",
    "Measures what this suite promises about itself, on the sandbox and on Linux: these figures, or all in about 30 minutes.",
    { help: HELP },
    {
      Names: Object.fromEntries(names.map((name) => [name, BENCHES[name].about])),
      "Exit codes": {
        0: "every figure keeps its limit",
        1: "one does not",
        2: "usage error",
        3: "k6 or Linux is missing",
      },
    },
  );

await runCommand(bench);
