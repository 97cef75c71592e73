import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import type { Client } from "../../../fixtures/engine/http/client.ts";
import { ANSWERS_LOG } from "../../generator/generator.ts";
import { referencesOf } from "../../k6/templates/reference.ts";
import { isTransfer, Journal } from "../../reconcile/journal.ts";
import { readLine } from "../../results/recording/answers.ts";
import { readLines } from "../../results/recording/follow.ts";
import { Recording } from "../../results/recording/recording.ts";
import type { LoadResult, LoadRun } from "../../results/result.ts";
import { finishRun } from "./examine.ts";
import { LeftOpen } from "./left-open.ts";

/**
 * Does for a killed run what it would have done at its end: looks up every transfer that may have been sent, judges what
 * is listed, and closes the run in the ledger. The ledger has every reference, and k6's log the answers that arrived.
 */
export async function reconcileRun(directory: string, run: LoadRun, target: Target, client: Client) {
  const ledger = new LeftOpen(target, directory, run.runId);
  const recording = new Recording(run, {});
  const journal = new Journal();
  readLines(join(directory, ANSWERS_LOG), (text) => {
    const line = readLine(text);
    for (const reader of [recording, journal]) reader.add(line);
  });
  const { entries, sightings } = journal;
  const answered = new Set(entries.map(({ reference }) => reference));
  const unanswered = ledger.reserved
    .filter((one) => isTransfer(one) && !answered.has(one.reference))
    .map(({ reference }) => reference);
  return finishRun(
    {
      run,
      target,
      client,
      references: referencesOf(run.runId, target.values.REFERENCE_FORM),
      measured: recording.summary(true),
      entries,
      sightings,
      hasTransfers: true,
      unanswered,
      tried: { working: [], failing: [] },
      paysAgain: false,
      stop: { interrupted: true },
    },
    // Without a response, a payment counts as made.
    (sent, paidThoughRejected) => ledger.close(sent, paidThoughRejected, "unknown"),
    { interrupted: true },
  );
}

/** The exit code of the command: the run itself stays interrupted. */
export function exitCodeOf({ invariants }: Pick<LoadResult, "invariants">): 0 | 1 | 4 {
  const has = (state: string) => invariants.some((one) => one.state === state);
  return has("broken") ? 1 : has("undecided") ? 4 : 0;
}
