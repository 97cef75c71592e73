import type { Entry } from "../reconcile/journal.ts";
import { writeRun } from "../runs/run-file.ts";
import { type Tried, tryBefore } from "./afterwards/recovery.ts";
import { sendControl } from "./control.ts";
import type { Execution } from "./execution.ts";
import { ledgerOf, Reservations } from "./reservations.ts";
import { isTransfer } from "./trials.ts";

/** A run that may send its load. */
interface Begun {
  readonly reservations: Reservations;
  /** What may have moved money before the load; the first is the transfer, if there are transfers in it. */
  readonly control: readonly Entry[];
  /** What worked before the load, and what did not. */
  readonly tried: Tried;
  /** How long the slowest request took. */
  readonly slowestMs: number;
}

/**
 * Reserves all that a run may pay, writes `run.json`, sends the control, and finds out what works. With `handedOver`, others send the load, after
 * this process has ended.
 */
export async function begin(
  { target, client, directory, run, calls, references, prepared, redactor }: Execution,
  options: { readonly handedOver?: boolean } = {},
): Promise<Begun> {
  const reservations = new Reservations(ledgerOf(target, directory), run.runId, calls, options);
  writeRun(directory, run);
  const { trials } = prepared;
  const control = trials.some(isTransfer)
    ? [await sendControl(client, redactor, reservations, references)]
    : [];
  const { entries, ...found } = await tryBefore(client, trials, references);
  return { reservations, control: [...control, ...entries], ...found };
}
