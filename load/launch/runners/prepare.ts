import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseDocument, stringify } from "yaml";
import { z } from "zod";
import type { Client } from "../../../fixtures/engine/http/client.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { CONFIG, SCRIPT, variablesOf } from "../../generator/generator.ts";
import { maxDurationMs, type Settings, tagsOf } from "../../k6/profiles.ts";
import { parseJson } from "../../k6/responses.ts";
import { Entry } from "../../reconcile/journal.ts";
import { readText, writeJson } from "../../results/files.ts";
import type { LoadRun } from "../../results/result.ts";
import { describeMoney } from "../money.ts";
import type { ReadyRun } from "../plan.ts";
import { readOf } from "../reach.ts";
import { authorityFile, prepareProbes, proxyOf, reserveAndSendControl, settingsOf } from "../run.ts";
import { Tried } from "../trials.ts";

/** Throws a {@link CommandError} (2) if a run cannot be sent by other processes, or not by as many of them. */
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

/** Leaves what others need to send a load; the ledger holds what they may pay. Returns what to tell the operator. */
export async function prepareRunners(ready: ReadyRun): Promise<string> {
  const { directory, run, calls } = ready;
  const archive = await packRun(ready);
  const manifest = renderManifest(ready, archive);
  const { control, tried } = await reserveAndSendControl(ready, true);
  writeJson(join(directory, FILE), { control, tried, payments: calls.length } satisfies PreparedRun);
  writePrivate(privateFile(run.runId, "yaml"), manifest);
  writePrivate(privateFile(run.runId, "tar"), archive);
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
  const { client, k6, run, prepared } = ready;
  const probes = await prepareProbes(client, run.iterations);
  const folder = mkdtempSync(join(tmpdir(), "payments-load-"));
  const pool = { file: join(folder, "pool.json") };
  const settings: Settings = {
    ...settingsOf(ready, probes),
    reach: (await readOf(client)).template,
    pool,
    runners: run.runners ?? 1,
  };
  const args = ["archive", "--config", CONFIG, "--include-system-env-vars", "-O", "-", SCRIPT];
  try {
    writeFileSync(pool.file, JSON.stringify(prepared.pools), { mode: 0o600 });
    const { stdout } = await promisify(execFile)(k6.path, args, {
      encoding: "buffer",
      timeout: MAX_PACKING_MS,
      maxBuffer: MAX_ARCHIVE_BYTES,
      env: variablesOf(settings),
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How long a run in a cluster may take to end after its last request is due. */
const MINUTES_TO_END = 10;

function nextLines({ directory, run, client }: ReadyRun): string[] {
  const { runners = 1, runId, profile } = run;
  const name = nameOf(runId);
  const numbers = Array.from({ length: runners }, (_, index) => index + 1).join(" ");
  const [manifest, archive] = [privateFile(runId, "yaml"), privateFile(runId, "tar")];
  const minutes = Math.ceil(maxDurationMs(profile) / 60_000) + MINUTES_TO_END;
  const authorities = authorityFile(client.target);
  const unknownToK6 = [
    ...(authorities ? [`SSL_CERT_FILE=${inShell(authorities)}`] : []),
    ...Object.keys(proxyOf(client.target)),
  ];
  const alone = [
    `Prepared. ${archive} holds the key: keep it to yourself. Run it once:`,
    ...(unknownToK6.length > 0 ? [`  (set ${unknownToK6.join(" and ")} first: k6 does not read .env)`] : []),
    `  k6 run --log-format raw --console-output ${name}.log ${archive}`,
    `  npm run load -- merge ${inShell(directory)} ${name}.log`,
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
    `  kubectl wait testrun/${name} --for=jsonpath='{.status.stage}'=finished --timeout=${minutes}m`,
    `  for i in ${numbers}; do kubectl logs job/${name}-$i > ${name}-$i-again.log; done`,
    `  npm run load -- merge ${inShell(directory)} ${name}-*.log`,
    "",
    `To give the run up instead, ${giveUpLines(directory, runId)}`,
  ];
}

/** Says how to give up a run whose runners may still start: the ledger must not let go of it before they are gone. */
export function giveUpLines(directory: string, runId: string): string {
  return [
    "first delete what may still send it, and wait until that is gone (without a cluster: end k6, and leave out the first two lines):",
    `  ${deletionOf(runId)} --ignore-not-found`,
    `  kubectl wait pod --selector k6_cr=${nameOf(runId)} --for=delete --timeout=5m`,
    `  npm run load -- reconcile ${inShell(directory)}`,
  ].join("\n");
}

/** Writes an argument for a line that the operator pastes into a shell. */
const inShell = (argument: string) =>
  /^[\w./:,=@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** The command that deletes a run from a cluster. */
export const deletionOf = (runId: string) => `kubectl delete testrun,secret ${nameOf(runId)}`;

const FILE = "prepared.json";

/** What is known of a run before its runners start, and needed when their logs are merged. */
const PreparedRun = z.object({
  control: z.array(Entry),
  tried: Tried,
  payments: z.int(),
});

type PreparedRun = z.infer<typeof PreparedRun>;

/** Reads what {@link prepareRunners} wrote; `undefined` if the run was not prepared. */
export const preparedIn = (directory: string): PreparedRun | undefined =>
  PreparedRun.safeParse(parseJson(readText(join(directory, FILE)))).data;

/** Reads what {@link prepareRunners} wrote; throws a {@link CommandError} (2) if the run was not prepared. */
export function readPrepared(directory: string): PreparedRun {
  const found = preparedIn(directory);
  if (found) return found;
  throw new CommandError(2, [
    `${directory} has no ${FILE}: this run was not prepared. After a run that was killed: npm run load -- reconcile ${directory}`,
  ]);
}

/** Private to this machine: unlike a run's folder, which is handed on, these files hold the key. */
const FOLDER = "reports/runners";

const TEMPLATE = new URL("../../kubernetes/testrun.yaml", import.meta.url);

const nameOf = (runId: string) => `load-${runId}`;

/** What the runners of a run need: a file for a cluster, or one that `k6 run` takes. */
const privateFile = (runId: string, kind: "yaml" | "tar") => join(FOLDER, `${nameOf(runId)}.${kind}`);

function writePrivate(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

/** Removes what no runner needs any more. */
export function removePrivate(runId: string): void {
  for (const kind of ["yaml", "tar"] as const) rmSync(privateFile(runId, kind), { force: true });
}

/** A Kubernetes Secret holds 1 MiB at most. */
const MAX_SECRET = 1_000_000;

type Sent = Pick<ReadyRun, "run"> & { readonly client: Pick<Client, "target"> };

/** Renders the Secret with the packed run, and the TestRun; throws a {@link CommandError} (2) if the run is too large. */
export function renderManifest(sent: Sent, archive: Buffer): string {
  const { run, client } = sent;
  if (archive.byteLength > MAX_SECRET)
    throw new CommandError(2, [
      `this run with its records takes ${Math.ceil(archive.byteLength / 1000)} kB, and a Kubernetes Secret holds ${MAX_SECRET / 1000} kB: name fewer records in DATA. Nothing was sent`,
    ]);
  const name = nameOf(run.runId);
  const { ca } = client.target.tls;
  const variables = proxyOf(client.target);
  const secret = { "archive.tar": archive, ...(ca && { "ca.pem": ca }), ...variables };
  const data = Object.entries(secret).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name }, data: Object.fromEntries(data) };
  return `${stringify(object, { lineWidth: 0 })}---\n${renderTestRun(sent, Object.keys(variables))}`;
}

function renderTestRun(sent: Sent, variables: readonly string[]): string {
  const { run, client } = sent;
  const name = nameOf(run.runId);
  const document = parseDocument(readFileSync(TEMPLATE, "utf8"));
  const values = {
    "metadata.name": name,
    "spec.parallelism": run.runners ?? 1,
    "spec.runner.volumes.0.secret.secretName": name,
  };
  for (const [path, value] of Object.entries(values)) document.setIn(path.split("."), value);
  // The operator gives k6 tags of its own, which replace those of the scripts.
  const tags = Object.entries(tagsOf(run)).flatMap(([tag, value]) => ["--tag", `${tag}=${value}`]);
  for (const arg of tags) document.addIn(["spec", "args"], arg);
  const fromSecret = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name, key } } });
  const ca = client.target.tls.ca ? [{ name: "SSL_CERT_FILE", value: "/run-files/ca.pem" }] : [];
  for (const one of [...ca, ...variables.map(fromSecret)]) document.addIn(["spec", "runner", "env"], one);
  return document.toString();
}
