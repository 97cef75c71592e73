import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument, stringify } from "yaml";
import type { Client } from "../../../fixtures/engine/http/client.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { MEMORY_LIMIT } from "../../generator/generator.ts";
import { vusOf } from "../../k6/profiles.ts";
import type { ReadyRun } from "../plan.ts";
import { proxyOf } from "../run.ts";

/** Private to this machine: unlike a run's folder, which is handed on, these files hold the key. */
const FOLDER = "reports/runners";

const TEMPLATE = new URL("../../kubernetes/testrun.yaml", import.meta.url);

/** The name of the TestRun and the Secret of a run. */
export const nameOf = (runId: string) => `load-${runId}`;

/** What the runners of a run need: a file for a cluster, or one that `k6 run` takes. */
export const privateFile = (runId: string, kind: "yaml" | "tar") => join(FOLDER, `${nameOf(runId)}.${kind}`);

/** Writes a file for its owner alone. */
export function writePrivate(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

/** Removes what no runner needs any more. */
export function removePrivate(runId: string): void {
  for (const kind of ["yaml", "tar"] as const) rmSync(privateFile(runId, kind), { force: true });
}

/** A Kubernetes Secret holds 1 MiB at most. */
const MAX_SECRET = 1_000_000;

type Sent = Pick<ReadyRun, "run" | "kind" | "outputs"> & { readonly client: Pick<Client, "target"> };

/**
 * Renders what `kubectl create` takes: a Secret with the packed run, and the TestRun. Throws a {@link CommandError} (2) if
 * the run is too large.
 */
export function renderManifest(sent: Sent, archive: Buffer): string {
  const { run, client, outputs } = sent;
  if (archive.byteLength > MAX_SECRET)
    throw new CommandError(2, [
      `this run with its records takes ${Math.ceil(archive.byteLength / 1000)} kB, and a Kubernetes Secret holds ${MAX_SECRET / 1000} kB: name fewer records in DATA. Nothing was sent`,
    ]);
  const name = nameOf(run.runId);
  const { ca } = client.target.tls;
  const variables = { ...(outputs.args.length > 0 && outputs.environment), ...proxyOf(client.target) };
  const secret = { "archive.tar": archive, ...(ca && { "ca.pem": ca }), ...variables };
  const data = Object.entries(secret).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name }, data: Object.fromEntries(data) };
  return `${stringify(object, { lineWidth: 0 })}---\n${renderTestRun(sent, Object.keys(variables))}`;
}

function renderTestRun(sent: Sent, variables: readonly string[]): string {
  const { run, client, outputs } = sent;
  const name = nameOf(run.runId);
  const document = parseDocument(readFileSync(TEMPLATE, "utf8"));
  const { cpu, memoryMb } = needsOf(sent);
  const values = {
    "metadata.name": name,
    "spec.parallelism": run.runners ?? 1,
    "spec.runner.volumes.0.secret.secretName": name,
    "spec.runner.resources.requests.cpu": cpu,
    "spec.runner.resources.requests.memory": `${memoryMb}Mi`,
    "spec.runner.resources.limits.memory": `${memoryMb}Mi`,
    "spec.runner.env.0.value": `${Math.floor(memoryMb * MEMORY_LIMIT)}MiB`,
  };
  for (const [path, value] of Object.entries(values)) document.setIn(path.split("."), value);
  for (const arg of outputs.args) document.addIn(["spec", "args"], quoted(arg));
  const fromSecret = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name, key } } });
  const ca = client.target.tls.ca ? [{ name: "SSL_CERT_FILE", value: "/run-files/ca.pem" }] : [];
  for (const one of [...ca, ...variables.map(fromSecret)]) document.addIn(["spec", "runner", "env"], one);
  return document.toString();
}

/** The operator joins the arguments into a line for `sh`, because it looks for the archive first. */
const quoted = (argument: string) =>
  /^[\w./:,=@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** A request costs k6 about 0.1 ms of CPU; half of the CPU stays free, so that nothing waits. */
const CPU_PER_REQUEST = 0.0002;
/** What k6 needs without VUs, and for each VU, which may all be busy with a slow target. */
const BASE_MEMORY_MB = 192;
const MEMORY_PER_VU_MB = 0.5;

function needsOf({ run: { profile, runners = 1 }, kind }: Sent) {
  const cpu = Math.max(0.25, (profile.rate / runners) * CPU_PER_REQUEST);
  const memory = BASE_MEMORY_MB + vusOf(profile, kind, runners).most * MEMORY_PER_VU_MB;
  return { cpu: `${Math.ceil(cpu * 20) * 50}m`, memoryMb: Math.ceil(memory / 64) * 64 };
}
