import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { Mix } from "../inputs/mix-and-shape.ts";
import { MAX_ITERATIONS } from "../k6/requests.ts";
import { parseJson } from "../k6/responses.ts";
import { readText, writeJson } from "../results/files.ts";
import { type LoadRun, RESULT, RUN } from "../results/result.ts";

/** What a run is to send, in its folder. */
const RUN_FILE = "run.json";

/** How many processes of k6 can share a run. */
export const MAX_RUNNERS = 1000;

/** The numbers of a run decide how much memory its log takes, so those that no run can have are refused. */
const RunFile = z.looseObject({
  ...RUN,
  schema: z.literal("payments-conformance/load-run@1"),
  runId: z.string().regex(/^[\da-f]{8}$/),
  iterations: z.int().min(1).max(MAX_ITERATIONS),
  runners: z.int().min(1).max(MAX_RUNNERS).exactOptional(),
  steps: Mix.exactOptional(),
}) satisfies z.ZodType<LoadRun>;

/** Writes the `run.json` of a run, before anything of it is sent. */
export const writeRun = (directory: string, run: LoadRun) => writeJson(join(directory, RUN_FILE), run);

/**
 * Reads the `run.json` of a load run that has no result yet, if this target is the one that it loads. Throws a
 * {@link CommandError}: 2 if the folder has no such run, 3 if the target is another one.
 */
export function readRun(directory: string, target: Target): LoadRun {
  const text = readText(join(directory, RUN_FILE));
  if (text === "")
    throw new CommandError(2, [`${directory} has no ${RUN_FILE} of a load run: name the folder of one`]);
  const found = RunFile.safeParse(parseJson(text));
  if (!found.success) {
    const [{ path = [], message = "" } = {}] = found.error.issues;
    const problem = path.length === 0 ? "it is not JSON" : `${z.core.toDotPath(path)}: ${message}`;
    throw new CommandError(2, [
      `${join(directory, RUN_FILE)} was damaged or changed (${problem}): restore it, or look up by hand what the run paid. Nothing was sent, and the ledger still holds what it reserved`,
    ]);
  }
  const { baseUrl, embedded } = found.data.target;
  if (embedded)
    throw new CommandError(2, [
      "this run loaded the embedded sandbox, which ended with it: nothing is left to look up",
    ]);
  if (new URL(baseUrl).href !== new URL(target.baseUrl).href)
    throw new CommandError(3, [
      `this run loaded ${baseUrl}, but BASE_URL is ${target.baseUrl}: set the variables of that deployment. Nothing was sent`,
    ]);
  return found.data;
}

/** The newest load run that left no result: its command was killed; throws a {@link CommandError} (2) if there is none. */
export function killedRun(out: string): string {
  const runs = existsSync(out) ? readdirSync(out).toSorted().reverse() : [];
  const has = (run: string, file: string) => existsSync(join(out, run, file));
  const killed = runs.find((run) => has(run, RUN_FILE) && !has(run, RESULT));
  if (killed !== undefined) return join(out, killed);
  throw new CommandError(2, [
    `no load run below ${out} was killed; to look up another one, name its folder: npm run load -- reconcile <run folder>`,
  ]);
}
