import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../fixtures/config/run-folder.ts";
import { onStopSignal, STOP_SIGNALS } from "../../fixtures/config/signals.ts";
import { variable, variableNames } from "../../fixtures/config/variables.ts";
import { CommandError, print } from "../../reports/text/command.ts";
import { readResults } from "../results/read-result.ts";
import { compareGroups, requireComparable } from "./compare-runs.ts";

/** Two deployments and the load that each of them gets in every round. */
export interface Duel {
  /** The env files that describe the deployments; `a` is the base. */
  readonly a: string;
  readonly b: string;
  readonly rounds: number;
  readonly workload: string;
  readonly profile: string;
  readonly out: string;
  readonly noise: number;
}

type Side = "a" | "b";

const SIDES: readonly [Side, Side] = ["a", "b"];
const LAUNCHER = fileURLToPath(new URL("../launch/main.ts", import.meta.url));

/**
 * Runs `npm run load -- duel`: loads two deployments in turns, so that both meet the same conditions, and compares them as
 * `compare` does. A run that is no evidence ends the duel with its exit code.
 */
export async function duel(plan: Duel): Promise<number> {
  const folder = join(plan.out, `duel-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}`);
  const runner = new Runner();
  try {
    const stopped = (await checkBoth(plan, runner)) ?? (await loadBoth(plan, runner, folder));
    return stopped ?? judge(plan, folder);
  } finally {
    runner.release();
  }
}

/** Finds what is wrong with either configuration before the first load; returns the exit code of that. */
async function checkBoth(plan: Duel, runner: Runner): Promise<number | undefined> {
  for (const side of SIDES) {
    const code = await runner.run(plan, side, ["--dry-run"]);
    if (code !== 0) return code;
  }
  return undefined;
}

/** Sends all rounds; returns the exit code of a run that is no evidence. */
async function loadBoth(plan: Duel, runner: Runner, folder: string): Promise<number | undefined> {
  for (const side of SIDES) makeFolder(join(folder, side));
  const rounds = Array.from({ length: plan.rounds }, (_, index) => index + 1);
  // Whoever is second meets a warmer machine, so the order alternates.
  const turns = rounds.flatMap((round) =>
    (round % 2 === 1 ? SIDES : SIDES.toReversed()).map((side) => ({ round, side })),
  );
  for (const { round, side } of turns) {
    const code = await runner.run(plan, side, ["--out", join(folder, side)]);
    print(`Round ${round} of ${plan.rounds}, ${side}: ${code === 0 ? "passed" : `exit code ${code}`}`);
    if (code !== 0 && code !== 1) return code;
  }
  return undefined;
}

function judge({ a, b, noise }: Duel, folder: string): number {
  const [before, after] = [readResults(join(folder, "a")), readResults(join(folder, "b"))];
  requireComparable(a, before, before);
  requireComparable(b, after, before);
  const worse = compareGroups(before, after, noise, b);
  print(`Written to ${folder}: the runs of ${a} in a, those of ${b} in b`);
  return worse ? 1 : 0;
}

/** Runs one load after the other, and stops the current one on Ctrl-C. */
class Runner {
  #interrupted = false;
  #stop: () => void = () => {};

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Runs `npm run load` for one side; returns its exit code, or 130 once a signal came. */
  async run(plan: Duel, side: Side, options: readonly string[]): Promise<number> {
    if (this.#interrupted) return 130;
    const { workload, profile } = plan;
    const child = spawn(
      process.execPath,
      [...process.execArgv, LAUNCHER, workload, "--profile", profile, ...options],
      { env: environmentOf(plan[side]), stdio: ["ignore", "ignore", "inherit"] },
    );
    this.#stop = () => child.kill("SIGTERM");
    const [code] = await once(child, "close");
    return this.#interrupted ? 130 : (code ?? 70);
  }

  release() {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.#onSignal);
  }

  #onSignal = onStopSignal(
    () => {
      this.#interrupted = true;
      this.#stop();
    },
    () => process.exit(130),
  );
}

/** The environment of one side: no variable of this process may describe the deployment instead of its env file. */
function environmentOf(file: string): NodeJS.ProcessEnv {
  const own = variableNames.filter((name) => variable(name).group !== "load");
  const hidden = new Set<string>([...own, "GITHUB_STEP_SUMMARY"]);
  const shared = Object.entries(process.env).filter(([name]) => !hidden.has(name));
  return { ...Object.fromEntries(shared), ENV_FILE: file };
}

/** Reads the options of a duel; throws a {@link CommandError} (2) for what is missing. */
export function duelOf(given: Omit<Duel, "a" | "b"> & { readonly a?: string; readonly b?: string }): Duel {
  const { a, b } = given;
  if (a === undefined || b === undefined)
    throw new CommandError(2, [
      "duel needs the env files of two deployments, for example: npm run load -- duel transfers --profile average --a .env.a --b .env.b",
    ]);
  return { ...given, a, b };
}
