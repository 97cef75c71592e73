import type { Entry } from "../reconcile/journal.ts";
import { writeRun } from "../runs/run-file.ts";
import { sendControl } from "./control.ts";
import type { Execution } from "./execution.ts";
import { ledgerOf, Reservations } from "./reservations.ts";

/** A run that may send its load. */
interface Begun {
  readonly reservations: Reservations;
  /** The transfer that precedes the load, if there are transfers in it. */
  readonly control: readonly Entry[];
}

/**
 * Reserves all that a run may pay, writes `run.json`, and sends the control. With `handedOver`, others send the load, after
 * this process has ended.
 */
export async function begin(
  { target, client, directory, run, calls, references, prepared, redactor }: Execution,
  options: { readonly handedOver?: boolean } = {},
): Promise<Begun> {
  const reservations = new Reservations(ledgerOf(target, directory), run.runId, calls, options);
  writeRun(directory, run);
  const control =
    prepared.control === undefined ? [] : [await sendControl(client, redactor, reservations, references)];
  return { reservations, control };
}
