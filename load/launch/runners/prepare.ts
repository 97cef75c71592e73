import { CommandError } from "../../../reports/text/command.ts";
import { formatAmount, plural } from "../../../reports/text/wording.ts";
import { archiveScripts } from "../../generator/archive.ts";
import type { LoadRun } from "../../results/result.ts";
import { begin } from "../beginning.ts";
import type { Execution } from "../execution.ts";
import { describeMoney, loadCalls, sumOfCalls } from "../money-calls.ts";
import { prepareProbes } from "../probes.ts";
import { clientIn } from "../settings.ts";
import { handOut, runnerSettings } from "./hand-out.ts";
import { manifestOf, nameOf, renderManifest, writeManifest } from "./manifest.ts";
import { writePrepared } from "./prepared-file.ts";

/** Throws a {@link CommandError} (2) if a run cannot be shared by several processes of k6. */
export function requireShareable({ target, profile }: Pick<LoadRun, "target" | "profile">): void {
  if (target.embedded)
    throw new CommandError(2, [
      "prepare needs a deployment that the runners can reach: set BASE_URL and SECRET_KEY. Nothing was sent",
    ]);
  if (profile.model === "closed")
    throw new CommandError(2, [
      `the profile ${profile.name} has three users, who need only one machine: choose another profile. Nothing was sent`,
    ]);
}

/**
 * Does all that precedes a load that several runners send, and leaves what they need. The ledger holds what they may pay
 * until their logs are merged. Returns what to tell the operator.
 */
export async function prepareRunners(execution: Execution, runners: number): Promise<string> {
  const { target, client, k6, directory, run, references, calls } = execution;
  const probes = await prepareProbes(client, target, references, run.iterations);
  const given = handOut(execution, runners, probes);
  const archive = await archiveScripts(k6, directory, runnerSettings(execution, runners));
  const manifest = renderManifest(execution, runners, archive, given);
  const { control, tried } = await begin(execution, { handedOver: true });
  writePrepared(directory, { control, tried, payments: calls.length });
  writeManifest(run.runId, manifest);
  return [...shareLines(execution, runners), ...nextLines(execution, runners)].join("\n");
}

/** What each runner may pay: nothing but the payments of its own iterations. */
function shareLines(execution: Execution, runners: number): string[] {
  const { run, references, prepared, calls } = execution;
  if (calls.length === 0) return ["No money will move."];
  const shares = Array.from({ length: runners }, (_, runner) =>
    sumOfCalls(loadCalls(references, prepared, run.iterations, clientIn(execution), { runner, runners })),
  );
  return [
    `The ledger holds ${describeMoney(calls)}, until the logs of the runners are merged:`,
    ...shares.map(
      ({ count, total }, runner) =>
        `  runner ${runner + 1} of ${runners}: at most ${plural(count, "payment")}, ${formatAmount(total)} in total`,
    ),
  ];
}

function nextLines({ directory, run }: Execution, runners: number): string[] {
  const name = nameOf(run.runId);
  const numbers = Array.from({ length: runners }, (_, index) => index + 1).join(" ");
  const manifest = manifestOf(run.runId);
  return [
    "",
    `Prepared. ${manifest} holds the key: keep it to yourself. Next (load/kubernetes/README.md explains each line):`,
    `  kubectl create -f ${manifest}`,
    `  kubectl wait testrun/${name} --for=jsonpath='{.status.stage}'=started --timeout=10m`,
    `  for i in ${numbers}; do kubectl logs --follow job/${name}-$i > ${name}-$i.log & done; wait`,
    `  npm run load -- merge ${directory} ${name}-*.log`,
    "",
    `To give the run up instead: npm run load -- reconcile ${directory}`,
  ];
}
