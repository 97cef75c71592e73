import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { type Command, CommandError, type Invocation } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { publishResult, writeResults } from "../results/files.ts";
import { followLog } from "../results/recording/lines.ts";
import { Recording } from "../results/recording/recording.ts";
import { LoadRun, RUN_FILE } from "../results/result.ts";
import { withClient, withTarget } from "./connect.ts";
import { EXIT_CODES } from "./help.ts";
import { HeldMoney, unansweredOf } from "./money.ts";
import { type EndedLoad, finishRun } from "./run.ts";
import { mergeLogs } from "./runners/merge.ts";
import { archiveOf, deletionOf, giveUpLine, isPrepared, readPrepared } from "./runners/prepare.ts";

export const merge: Command = defineCommand({
  name: "load merge",
  about: "Judges what the runners of a prepared run logged, as one run.",
  takes: ["<run folder>", "[log]..."],
  options: {},
  tables: { "Exit codes": { ...EXIT_CODES, 4: "undecided, or a log is incomplete" } },
  run: ({ words: [directory = "", ...logs], ...invocation }) =>
    withTarget(invocation.env, async (target) => {
      const run = readRun(directory, target);
      const { incomplete, ended } = mergeLogs(directory, run, logs, target);
      if (incomplete.length > 0) {
        invocation.stderr.write(
          `${incomplete.join("\n")}\nThere is no verdict: it needs the whole log of every runner. Nothing was sent, and the ledger still holds all payments of the run. With whole logs, merge again. To look up what was paid instead, ${giveUpLine(directory, run.runId)}\n`,
        );
        return 4;
      }
      return (await finishLater(directory, target, ended, invocation)).exitCode;
    }),
});

export const reconcile: Command = defineCommand({
  name: "load reconcile",
  about: "Looks up what a run that was killed may have paid, and closes it in the ledger.",
  takes: ["<run folder>"],
  options: {},
  tables: { "Exit codes": EXIT_CODES },
  run: ({ words: [directory = ""], ...invocation }) =>
    withTarget(invocation.env, async (target) => {
      const run = readRun(directory, target);
      const ended = killedLoad(directory, run, target);
      const { result, exitCode: published } = await finishLater(directory, target, ended, invocation);
      const has = (state: string) => result.invariants.some((one) => one.state === state);
      const failed = result.measured?.thresholds.filter(({ ok, kind }) => !ok && kind === "failures") ?? [];
      const found = has("broken") || failed.length > 0 ? 1 : has("undecided") ? 4 : 0;
      // The run itself stays interrupted.
      const exitCode = published === result.exitCode ? found : published;
      const why = failed.map(({ text }) => `: ${text}`).join("");
      const mayStart = isPrepared(directory)
        ? `Its payments are not held any more, so it must not start: if it is still in a cluster, ${deletionOf(run.runId)}\n`
        : "";
      invocation.stdout.write(
        `Reconciled, and closed in the ledger; the exit code of this command is ${exitCode}${why}.\n${mayStart}`,
      );
      return exitCode;
    }),
});

async function finishLater(directory: string, target: Target, ended: EndedLoad, invocation: Invocation) {
  const { runId } = ended.run;
  prepareLedger(target);
  const result = await withClient(target, runId, (client) => finishRun(client, ended));
  writeResults(directory, result);
  rmSync(archiveOf(runId), { force: true });
  return { result, exitCode: publishResult(directory, result, new Redactor(target.secrets), invocation) };
}

/** What is known of a run that was killed, from the ledger and k6's log. */
function killedLoad(directory: string, run: LoadRun, target: Target): EndedLoad {
  const held = new HeldMoney(target, directory, run.runId);
  const recording = new Recording(run);
  // Without an accepted transfer, the list proves nothing about a prepared run that nobody sent.
  const control = isPrepared(directory) ? readPrepared(directory).control : [];
  followLog(directory, [recording]).finish();
  return {
    run,
    held,
    control,
    recording,
    isCutShort: true,
    unanswered: unansweredOf(held.calls, [...control, ...recording.entries], Number.POSITIVE_INFINITY),
    mayBeSent: () => true,
    stop: { interrupted: true },
  };
}

/** Reads the `run.json` of a load run; throws a {@link CommandError}: 2 if there is none, 3 if its target is another one. */
function readRun(directory: string, target: Target): LoadRun {
  const hint =
    "name the folder of a load run; if its file was damaged, restore it, or look up by hand what the run paid. Nothing was sent, and the ledger still holds what the run reserved";
  const run: LoadRun = readJsonFile("", join(directory, RUN_FILE), LoadRun, hint);
  const { baseUrl, embedded } = run.target;
  if (embedded)
    throw new CommandError(2, [
      "this run loaded the embedded sandbox, which ended with it: nothing is left to look up",
    ]);
  if (new URL(baseUrl).href !== new URL(target.baseUrl).href)
    throw new CommandError(3, [
      `this run loaded ${baseUrl}, but BASE_URL is ${target.baseUrl}: set the variables of that deployment. Nothing was sent`,
    ]);
  return run;
}
