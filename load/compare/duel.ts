import { join } from "node:path";
import { makeFolder, timestamp } from "../../fixtures/config/run-folder.ts";
import { variable, variableNames } from "../../fixtures/config/variables.ts";
import { CommandError, print } from "../../reports/text/command.ts";
import { readResults } from "../results/read-result.ts";
import { ChildRuns, inheritedWithout } from "../runs/child-runs.ts";
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

/**
 * Runs `npm run load -- duel`: loads two deployments in turns, so that both meet the same conditions, and compares them as
 * `compare` does. A run that is no evidence ends the duel with its exit code.
 */
export async function duel(plan: Duel): Promise<number> {
  const folder = join(plan.out, `duel-${timestamp(new Date())}`);
  const runs = new ChildRuns();
  try {
    const stopped = (await checkBoth(plan, runs)) ?? (await loadBoth(plan, runs, folder));
    return stopped ?? judge(plan, folder);
  } finally {
    runs.release();
  }
}

/** Finds what is wrong with either configuration before the first load; returns the exit code of that. */
async function checkBoth(plan: Duel, runs: ChildRuns): Promise<number | undefined> {
  for (const side of SIDES) {
    const code = await runSide(runs, plan, side, ["--dry-run"]);
    if (code !== 0) return code;
  }
  return undefined;
}

/** Sends all rounds; returns the exit code of a run that is no evidence. */
async function loadBoth(plan: Duel, runs: ChildRuns, folder: string): Promise<number | undefined> {
  for (const side of SIDES) makeFolder(join(folder, side));
  const rounds = Array.from({ length: plan.rounds }, (_, index) => index + 1);
  // Whoever is second meets a warmer machine, so the order alternates.
  const turns = rounds.flatMap((round) =>
    (round % 2 === 1 ? SIDES : SIDES.toReversed()).map((side) => ({ round, side })),
  );
  for (const { round, side } of turns) {
    const code = await runSide(runs, plan, side, ["--out", join(folder, side)]);
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

/** Runs one side; returns the exit code. */
const runSide = (runs: ChildRuns, plan: Duel, side: Side, options: readonly string[]): Promise<number> =>
  runs.run([plan.workload, "--profile", plan.profile, ...options], environmentOf(plan[side]));

/** The environment of one side: no variable of this process may describe the deployment instead of its env file. */
function environmentOf(file: string): NodeJS.ProcessEnv {
  const own = variableNames.filter((name) => variable(name).group !== "load");
  return { ...inheritedWithout(own), ENV_FILE: file };
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
