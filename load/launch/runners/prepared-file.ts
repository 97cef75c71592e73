import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../../../reports/text/command.ts";
import { parseJson } from "../../k6/json.ts";
import { OUTCOMES } from "../../k6/outcome.ts";
import type { Entry } from "../../reconcile/journal.ts";
import { readText, writeJson } from "../../results/files.ts";
import type { Tried } from "../afterwards/recovery.ts";
import { Trial } from "../trials.ts";

const FILE = "prepared.json";

/** What is known of a run before its runners start, and needed when their logs are merged. */
export interface PreparedRun {
  /** What may have moved money before the load. */
  readonly control: readonly Entry[];
  /** What worked before the load, and what did not. */
  readonly tried: Tried;
  /** How many payments the ledger holds for the run. */
  readonly payments: number;
}

const PreparedFile = z.object({
  control: z.array(
    z.object({
      operation: z.string(),
      reference: z.string(),
      outcome: z.enum(OUTCOMES),
      status: z.number(),
      identifier: z.string().nullable(),
    }),
  ),
  tried: z.object({ working: z.array(Trial), failing: z.array(Trial) }),
  payments: z.int(),
}) satisfies z.ZodType<PreparedRun>;

export const writePrepared = (directory: string, prepared: PreparedRun) =>
  writeJson(join(directory, FILE), prepared);

/** Reads what {@link writePrepared} wrote; throws a {@link CommandError} (2) if there is no such file. */
export function readPrepared(directory: string): PreparedRun {
  const found = PreparedFile.safeParse(parseJson(readText(join(directory, FILE))));
  if (found.success) return found.data;
  throw new CommandError(2, [
    `${directory} has no ${FILE}: this run was not prepared for several runners. After a run that was killed: npm run load -- reconcile ${directory}`,
  ]);
}
