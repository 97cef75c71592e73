import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { readJsonFile } from "../../../reports/command-line/json-file.ts";
import { listed } from "../../../reports/wording.ts";
import { CONFIG, removePools, SCRIPT, variablesOf, writePools } from "../../generator/generator.ts";
import type { Settings } from "../../k6/profiles.ts";
import { writeJson } from "../../results/files.ts";
import { Entry } from "../../results/recording/lines.ts";
import { describeMoney } from "../money.ts";
import type { ReadyRun } from "../plan.ts";
import { environmentOf, reserveAndSendControl, settingsOf } from "../run.ts";
import { Trial } from "../trials.ts";

/** Leaves what others need to send a load; the ledger holds what they may pay. Returns what to tell the operator. */
export async function prepareRunners(ready: ReadyRun): Promise<string> {
  const { directory, run, calls } = ready;
  const archive = await packRun(ready);
  const { control, working } = await reserveAndSendControl(ready, true);
  writeJson(join(directory, FILE), { control, working, payments: calls.length } satisfies PreparedRun);
  const file = archiveOf(run.runId);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, archive, { mode: 0o600 });
  const money =
    calls.length === 0
      ? "No money will move."
      : `The ledger holds ${describeMoney(calls)}, until the logs of the runners are merged.`;
  return [money, ...nextLines(ready)].join("\n");
}

/** k6 hangs on a script that its engine cannot read. */
const MAX_PACKING_MS = 30_000;
const MAX_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** Packs the scripts, the settings and the records of a run as one tar file, which holds the key. */
async function packRun(ready: ReadyRun): Promise<Buffer> {
  const { k6, run, prepared } = ready;
  const pool = writePools(prepared.pools);
  const settings: Settings = {
    ...(await settingsOf(ready)),
    pool: { file: pool.file },
    runners: run.runners ?? 1,
  };
  const args = ["archive", "--config", CONFIG, "--include-system-env-vars", "-O", "-", SCRIPT];
  try {
    const { stdout } = await promisify(execFile)(k6.path, args, {
      encoding: "buffer",
      timeout: MAX_PACKING_MS,
      maxBuffer: MAX_ARCHIVE_BYTES,
      env: variablesOf(settings),
    });
    return stdout;
  } finally {
    removePools(pool);
  }
}

function nextLines({ directory, run, client }: ReadyRun): string[] {
  const { runners = 1, runId } = run;
  const variables = Object.keys(environmentOf(client.target));
  return [
    "",
    `Prepared. ${archiveOf(runId)} holds the key: keep it to yourself.`,
    ...(variables.length > 0
      ? [
          `k6 does not read .env: set ${listed(variables)} where it runs, for a cluster in load/kubernetes/testrun.yaml. SSL_CERT_FILE names a file of authorities, as CA_FILE does.`,
        ]
      : []),
    "Next, set these variables in your shell and follow load/kubernetes/README.md, or without a cluster load/README.md (k6 and its outputs):",
    `  run=${nameOf(runId)} folder=${inShell(directory)} runners=${runners}`,
    `To give the run up instead, ${giveUpLine(directory, runId)}`,
  ];
}

/** Says how to give up a run whose runners may still start: the ledger must not let go of it before they are gone. */
export const giveUpLine = (directory: string, runId: string): string =>
  `first end what may still send it (in a cluster: ${deletionOf(runId)}, and wait until its pods are gone), then: npm run load -- reconcile ${inShell(directory)}`;

/** Writes an argument for a line that the operator pastes into a shell. */
const inShell = (argument: string) =>
  /^[\w./:,=@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** The command that deletes a run from a cluster. */
export const deletionOf = (runId: string) => `kubectl delete testrun,secret ${nameOf(runId)}`;

const FILE = "prepared.json";

/** What is known of a run before its runners start, and needed when their logs are merged. */
const PreparedRun = z.object({
  control: z.array(Entry),
  working: z.array(Trial),
  payments: z.int(),
});

type PreparedRun = z.infer<typeof PreparedRun>;

/** Whether others may still send a run. */
export const isPrepared = (directory: string): boolean => existsSync(join(directory, FILE));

/** Reads what {@link prepareRunners} wrote; throws a `CommandError` (2) if the run was not prepared. */
export const readPrepared = (directory: string): PreparedRun =>
  readJsonFile(
    "",
    join(directory, FILE),
    PreparedRun,
    `only a run that was prepared can be merged. After a run that was killed: npm run load -- reconcile ${directory}`,
  );

const nameOf = (runId: string) => `load-${runId}`;

/** The packed run. It is private to this machine: unlike a run's folder, which is handed on, it holds the key. */
export const archiveOf = (runId: string) => join("reports/runners", `${nameOf(runId)}.tar`);
