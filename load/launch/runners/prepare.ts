import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { CommandError } from "../../../reports/command-line/command.ts";
import { formatAmount, plural, present } from "../../../reports/wording.ts";
import { bundleScripts, CONFIG, inherited } from "../../generator/generator.ts";
import type { Settings } from "../../k6/profiles.ts";
import { parseJson } from "../../k6/responses.ts";
import { Entry } from "../../reconcile/journal.ts";
import { referencesOfRun } from "../../reconcile/listing.ts";
import { readText, writeJson } from "../../results/files.ts";
import type { LoadRun } from "../../results/result.ts";
import { describeMoney, loadCalls, sumOfCalls } from "../money.ts";
import type { ReadyRun } from "../plan.ts";
import { prepareProbes, reserveAndSendControl, settingsOf } from "../run.ts";
import { Tried } from "../trials.ts";
import { nameOf, privateFile, renderManifest, writePrivate } from "./manifest.ts";

/** Throws a {@link CommandError} (2) if others are to send a run, and it cannot be sent by as many k6 processes. */
export function requireShareable({
  target,
  profile,
  runners,
}: Pick<LoadRun, "target" | "profile" | "runners">) {
  if (runners === undefined) return;
  if (target.embedded)
    throw new CommandError(2, [
      "prepare needs a deployment that the runners can reach: set BASE_URL and SECRET_KEY. Nothing was sent",
    ]);
  if (profile.model === "closed" && runners > 1)
    throw new CommandError(2, [
      `the profile ${profile.name} has three users, who need only one machine: choose another profile. Nothing was sent`,
    ]);
}

/**
 * Does everything that precedes a load that other processes send, and leaves what they need. The ledger holds what they
 * may pay until their logs are merged. Returns what to tell the operator.
 */
export async function prepareRunners(ready: ReadyRun): Promise<string> {
  const { directory, run, calls } = ready;
  const archive = await packRun(ready);
  const manifest = renderManifest(ready, archive);
  const { control, tried } = await reserveAndSendControl(ready, true);
  writeJson(join(directory, FILE), { control, tried, payments: calls.length } satisfies PreparedRun);
  writePrivate(privateFile(run.runId, "yaml"), manifest);
  writePrivate(privateFile(run.runId, "tar"), archive);
  return [...shareLines(ready), ...nextLines(ready)].join("\n");
}

/** k6 hangs on a script that its engine cannot read. */
const MAX_PACKING_MS = 30_000;
const MAX_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** Packs the scripts, the settings and the records of a run as one tar file, which holds the key. */
async function packRun(ready: ReadyRun): Promise<Buffer> {
  const { client, k6, directory, run, prepared } = ready;
  const probes = await prepareProbes(client, run.iterations);
  const script = await bundleScripts(join(directory, "k6"));
  const folder = mkdtempSync(join(tmpdir(), "payments-load-"));
  const pool = { file: join(folder, "pool.json") };
  const settings: Settings = {
    ...settingsOf(ready, probes),
    pool,
    // A threshold of k6 ends the load if most responses are server errors.
    metrics: true,
    runners: run.runners ?? 1,
  };
  const args = ["archive", "--config", CONFIG, "--include-system-env-vars", "-O", "-", script];
  try {
    writeFileSync(pool.file, JSON.stringify(prepared.pools), { mode: 0o600 });
    const { stdout } = await promisify(execFile)(k6.path, args, {
      encoding: "buffer",
      timeout: MAX_PACKING_MS,
      maxBuffer: MAX_ARCHIVE_BYTES,
      env: { SETTINGS: JSON.stringify(settings), ...inherited(), K6_AUTO_EXTENSION_RESOLUTION: "false" },
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What each runner may pay: nothing but the payments of its own iterations. */
function shareLines({ client, run, prepared, calls, kind }: ReadyRun): string[] {
  const { runners = 1, iterations } = run;
  if (calls.length === 0) return ["No money will move."];
  return [
    `The ledger holds ${describeMoney(calls)}, until the logs of the runners are merged:`,
    ...Array.from({ length: runners }, (_, runner) => {
      const share = loadCalls(referencesOfRun(client), prepared, iterations, kind, { runner, runners });
      const { count, total } = sumOfCalls(share);
      return `  runner ${runner + 1} of ${runners}: at most ${plural(count, "payment")}, ${formatAmount(total)} in total`;
    }),
  ];
}

function nextLines({ directory, run, client, outputs }: ReadyRun): string[] {
  const { runners = 1, runId } = run;
  const name = nameOf(runId);
  const numbers = Array.from({ length: runners }, (_, index) => index + 1).join(" ");
  const [manifest, archive] = [privateFile(runId, "yaml"), privateFile(runId, "tar")];
  const { CA_FILE, HTTPS_PROXY } = client.target.values;
  const unknownToK6 = present(CA_FILE && `SSL_CERT_FILE=${CA_FILE}`, HTTPS_PROXY && "HTTPS_PROXY");
  const alone = [
    `Prepared. ${archive} holds the key: keep it to yourself. Run it once:`,
    ...(unknownToK6.length > 0 ? [`  (set ${unknownToK6.join(" and ")} first: k6 does not read .env)`] : []),
    `  ${["k6 run --log-format raw --console-output", `${name}.log`, ...outputs.args, archive].join(" ")}`,
    `  npm run load -- merge ${directory} ${name}.log`,
    "",
    `Or in a cluster with ${manifest}, which holds the key as well (load/kubernetes/README.md explains each line):`,
  ];
  const cluster = `Prepared. ${manifest} holds the key: keep it to yourself. Next (load/kubernetes/README.md explains each line):`;
  return [
    "",
    ...(runners === 1 ? alone : [cluster]),
    `  kubectl create -f ${manifest}`,
    `  kubectl wait testrun/${name} --for=jsonpath='{.status.stage}'=started --timeout=10m`,
    `  for i in ${numbers}; do kubectl logs --follow job/${name}-$i > ${name}-$i.log & done; wait`,
    `  npm run load -- merge ${directory} ${name}-*.log`,
    "",
    `To give the run up instead: npm run load -- reconcile ${directory}`,
  ];
}

const FILE = "prepared.json";

/** What is known of a run before its runners start, and needed when their logs are merged. */
const PreparedRun = z.object({
  /** What may have moved money before the load. */
  control: z.array(Entry),
  tried: Tried,
  /** How many payments the ledger holds for the run. */
  payments: z.int(),
});

type PreparedRun = z.infer<typeof PreparedRun>;

/** Reads what {@link prepareRunners} wrote; throws a {@link CommandError} (2) if the run was not prepared. */
export function readPrepared(directory: string): PreparedRun {
  const found = PreparedRun.safeParse(parseJson(readText(join(directory, FILE))));
  if (found.success) return found.data;
  throw new CommandError(2, [
    `${directory} has no ${FILE}: this run was not prepared. After a run that was killed: npm run load -- reconcile ${directory}`,
  ]);
}
