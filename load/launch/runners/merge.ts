import type { Target } from "../../../fixtures/engine/config/target.ts";
import type { Client } from "../../../fixtures/engine/http/client.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { referencesOf } from "../../k6/templates/reference.ts";
import { isTransfer } from "../../reconcile/journal.ts";
import type { LoadResult, LoadRun } from "../../results/result.ts";
import { shortcomings } from "../../results/verdict.ts";
import { finishRun } from "../afterwards/examine.ts";
import { LeftOpen } from "../afterwards/left-open.ts";
import { readPrepared } from "./prepare.ts";
import type { ReadLogs } from "./read-logs.ts";

/** What the ledger holds for a prepared run; throws a {@link CommandError} (3) if it is another ledger. */
export function heldFor(directory: string, run: LoadRun, target: Target): LeftOpen {
  const ledger = new LeftOpen(target, directory, run.runId);
  const { payments } = readPrepared(directory);
  if (ledger.reserved.length !== payments)
    throw new CommandError(3, [
      `the ledger ${ledger.path} holds ${ledger.reserved.length} of the ${payments} payments of this run: merge where it was prepared, or set LEDGER_DIR to the ledger that was used there. Nothing was sent`,
    ]);
  return ledger;
}

/** Finishes a distributed run: tests recovery, reconciles transfers, decides the verdict. */
export async function mergeRun(
  directory: string,
  run: LoadRun,
  { recording, journal }: ReadLogs,
  target: Target,
  client: Client,
): Promise<LoadResult> {
  const ledger = heldFor(directory, run, target);
  const { control, tried } = readPrepared(directory);
  const measured = recording.summary();
  return finishRun(
    {
      run,
      target,
      client,
      references: referencesOf(run.runId, target.values.REFERENCE_FORM),
      measured,
      entries: [...control, ...journal.entries],
      sightings: journal.sightings,
      hasTransfers: control.some(isTransfer),
      unanswered: [],
      tried,
      paysAgain: true,
      stop: { interrupted: false },
    },
    // The logs are complete: what they do not show was not sent.
    (entries, paidThoughRejected) => ledger.close(entries, paidThoughRejected, "no"),
    { shortcomings: measured ? shortcomings(run, measured) : ["the runners sent nothing"] },
  );
}

/** Says what is missing for a verdict, and what to do. Ends with a line break. */
export const noVerdict = (directory: string, gaps: readonly string[]) =>
  `${gaps.join("\n")}
There is no verdict: it needs the whole log of every runner. Nothing was sent, and the ledger still holds all payments of the run. With whole logs, merge again. Otherwise look up what was paid: npm run load -- reconcile ${directory}
`;
