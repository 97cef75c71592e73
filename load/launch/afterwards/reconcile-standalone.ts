import type { Target } from "../../../fixtures/config/target.ts";
import type { Client } from "../../../fixtures/http/client.ts";
import { CommandError } from "../../../reports/text/command.ts";
import { readInput } from "../../inputs/placed.ts";
import { referencesOf } from "../../k6/templates/reference.ts";
import { Schedule } from "../../k6/traffic/schedule.ts";
import { workloads } from "../../k6/traffic/workloads.ts";
import { isTransfer, Journal } from "../../reconcile/journal.ts";
import { lookUp } from "../../reconcile/look-up.ts";
import { readLine } from "../../results/recording/answers.ts";
import { verdictOf } from "../../results/verdict.ts";
import type { StandaloneRun } from "../options.ts";

/** The first transfer of a run that k6 makes by itself is accepted, or no load follows. */
const CONTROL = { operation: "createTransfer", outcome: "accepted", status: 200, identifier: null } as const;
const NO_ANSWERS =
  "without the answers, it is unknown which transfers the API accepted: start k6 with -e ANSWERS=true --log-format raw --console-output answers.log, and add --answers answers.log to this command";

/**
 * Looks up every transfer that a k6 run without the launcher may have sent: its references follow from its run id, its
 * workload and its iterations. Throws a {@link CommandError} (2) if it sent none.
 */
export async function reconcileStandalone(run: StandaloneRun, target: Target, client: Client) {
  const { runId, workload, iterations, answers } = run;
  const references = referencesOf(runId, target.values.REFERENCE_FORM);
  const sent = transfersIn(run, references.at);
  if (sent.length === 0)
    throw new CommandError(2, [
      `the workload ${workload} sends no transfers, and only they can be looked up`,
    ]);
  const journal = new Journal();
  if (answers !== undefined)
    for (const line of readInput("--answers", answers).split("\n")) journal.add(readLine(line));
  const entries = [{ ...CONTROL, reference: references.control }, ...journal.entries];
  const answered = new Set(journal.entries.filter(isTransfer).map(({ reference }) => reference));
  const known = new Set(sent);
  const strange = [...answered].find((reference) => !known.has(reference));
  if (strange !== undefined)
    throw new CommandError(2, [
      `--answers: ${answers} has ${strange}, which is no reference of the run ${runId} with ${iterations} iterations of ${workload}`,
    ]);
  const unanswered = sent.filter((reference) => !answered.has(reference));
  const { reconciled, invariants } = await lookUp({ target, client, references }, entries, unanswered);
  const decision = verdictOf({
    measured: undefined,
    generator: {},
    invariants,
    shortcomings: answers === undefined ? [NO_ANSWERS] : [],
    problems: [],
    interrupted: false,
  });
  return { reconciled, invariants, decision };
}

/** The references of the transfers of a run, each once. */
function transfersIn({ workload, iterations }: StandaloneRun, at: (iteration: number) => string): string[] {
  const schedule = new Schedule(workloads[workload]);
  const references = new Set<string>();
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.requestAt(iteration);
    if (isTransfer(step)) references.add(at(origin));
  }
  return [...references];
}
