import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeRunFolder } from "../../fixtures/engine/config/run-folder.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Command, Invocation } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { compare } from "../compare/compare.ts";
import { findK6 } from "../generator/binary.ts";
import { renderStart } from "../results/console.ts";
import { publishResult } from "../results/files.ts";
import { type LoadRun, RUN_FILE } from "../results/result.ts";
import { withClient, withTarget } from "./connect.ts";
import { OPTIONS, TABLES } from "./help.ts";
import { merge, reconcile } from "./later.ts";
import { describeMoney } from "./money.ts";
import {
  type Options,
  optionsFrom,
  permittedCalls,
  planOf,
  type ReadyRun,
  requestsOf,
  runnersFrom,
} from "./plan.ts";
import { learnPageSizes, runLoad } from "./run.ts";
import { prepareRunners } from "./runners/prepare.ts";

const prepare: Command = defineCommand({
  name: "load prepare",
  about: `Reserves a run that \`k6 run\` sends without this command, or with --runners one that several machines send, and writes
what they need (load/kubernetes/README.md).`,
  takes: ["[workload]"],
  options: {
    ...OPTIONS,
    runners: { type: "string", about: "number of k6 processes that share the run (default: 1)" },
  },
  tables: TABLES,
  run: ({ words, values, ...invocation }) => {
    const options = { ...optionsFrom(words, values), runners: runnersFrom(values.runners) };
    return loadTarget(options, { ...invocation, argv: ["prepare", ...invocation.argv] }, prepareRunners);
  },
});

/** Sends a load, or prepares, merges, reconciles or compares loads. */
export const load: Command = defineCommand({
  name: "load",
  about: "Loads the deployment that .env describes, or the embedded sandbox if none is configured.",
  takes: ["[workload]"],
  options: OPTIONS,
  commands: {
    prepare: { about: "reserve a run that other machines send", command: prepare },
    merge: { about: "judge the logs of a prepared run", command: merge },
    reconcile: { about: "look up what a run that was killed may have paid", command: reconcile },
    compare: { about: "compare runs of the same load", command: compare },
  },
  tables: TABLES,
  run: ({ words, values, ...invocation }) =>
    loadTarget(optionsFrom(words, values), invocation, async (ready) =>
      publishResult(ready.directory, await runLoad(ready), ready.redactor, invocation),
    ),
});

/** Sends a run that is ready, or prepares it for others; returns the exit code, or what to print. */
type Send = (ready: ReadyRun) => Promise<number | string>;

/** Plans a load and says what it would do; sends it if that is allowed and not a dry run. */
const loadTarget = (options: Options, { argv, env, stdout, stderr }: Invocation, send: Send) =>
  withTarget(env, async (configured): Promise<number | string> => {
    const plan = planOf(options, configured);
    const { target, leftOut } = plan;
    const calls = await permittedCalls(plan);
    const without = leftOut.length > 0 ? ["Left out of it:", ...leftOut.map((line) => `  ${line}`), ""] : [];
    const about = renderStart(plan.run) + without.join("\n");
    if (options.dryRun)
      return `${about}${calls.length > 0 ? `This run would move money: ${describeMoney(calls)}.` : "No money will move."}`;
    const k6 = await findK6({
      named: target.values.K6_PATH,
      progress: (line) => stderr.write(`${line}\n`),
    });
    prepareLedger(target);
    const { runId, path: directory } = makeRunFolder(options.out);
    const redactor = new Redactor(target.secrets);
    return withClient(target, runId, async (client) => {
      stdout.write(about);
      await learnPageSizes(
        client,
        plan.run.steps.map(({ operation }) => operation),
      );
      const requests = await requestsOf(plan, client);
      const run: LoadRun = {
        ...plan.run,
        runId,
        k6: k6.version,
        command: ["npm run load --", ...argv].join(" "),
        startedAt: new Date().toISOString(),
      };
      return send({ client, k6, directory, run, ...requests, redactor });
    }).finally(() => {
      // What was refused leaves nothing.
      if (!existsSync(join(directory, RUN_FILE))) rmSync(directory, { recursive: true });
    });
  });
