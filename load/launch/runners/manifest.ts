import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument, stringify } from "yaml";
import { CommandError } from "../../../reports/command-line/command.ts";
import { MEMORY_LIMIT } from "../../generator/generator.ts";
import type { Probes } from "../../k6/probes.ts";
import type { Settings } from "../../k6/settings.ts";
import { vusOf } from "../../k6/traffic/executor.ts";
import type { Execution } from "../execution.ts";
import { clientIn, proxyOf, settingsOf } from "../settings.ts";

/** What every runner of a run gets. It holds the key, so it belongs in a Secret. */
export interface RunnerSecret {
  readonly settings: Settings;
  readonly variables: Readonly<Record<string, string>>;
  /** By their names in the folder {@link FILES}. */
  readonly files: Readonly<Record<string, string>>;
  /** Further arguments of `k6 run`. */
  readonly args: readonly string[];
}

/** Where runners find their files. */
export const FILES = "/settings";

/** Linux takes a variable of 128 KiB at most. */
const MAX_VARIABLE = 120_000;
/** A Kubernetes Secret holds 1 MiB at most. */
const MAX_SECRET = 1_000_000;

type Planned = Pick<Execution, "target" | "run" | "prepared" | "outputs">;

/** Puts together what the runners get; throws a {@link CommandError} (2) if it is too large. */
export function runnerSecret(planned: Planned, runners: number, probes: Probes | undefined): RunnerSecret {
  const { target, prepared, outputs } = planned;
  const { ca, cert, key } = target.tls;
  // An archive holds no files that it did not open when it was made, so the records come in variables.
  const parts = partsOf(asciiJson(prepared.pools));
  const settings: Settings = {
    ...settingsOf(planned, probes),
    runners,
    // A threshold of k6 ends the load if most responses are server errors.
    metrics: true,
    pool: { variables: Object.keys(parts) },
  };
  const variables = {
    ...(outputs.args.length > 0 && outputs.environment),
    ...proxyOf(target),
    ...(ca && { SSL_CERT_FILE: `${FILES}/ca.pem` }),
    SETTINGS: asciiJson(settings),
    ...parts,
  };
  const size = Object.values(variables).reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_SECRET)
    throw new CommandError(2, [
      `the records of this run take ${Math.ceil(size / 1000)} kB, and a Kubernetes Secret holds ${MAX_SECRET / 1000} kB: name fewer records in DATA. Nothing was sent`,
    ]);
  return {
    settings,
    variables,
    files: {
      ...(ca && { "ca.pem": ca }),
      // Options of the script would be part of the archive.
      ...(cert && key && { "k6.json": JSON.stringify({ tlsAuth: [{ cert, key }] }) }),
    },
    args: [...outputs.args, ...(cert && key ? ["--config", `${FILES}/k6.json`] : [])],
  };
}

/** JSON in ASCII, whose length is its size, and which may be cut anywhere. */
export const asciiJson = (content: unknown) =>
  JSON.stringify(content).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function partsOf(text: string): Record<string, string> {
  const count = Math.ceil(text.length / MAX_VARIABLE);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `POOL_${index + 1}`,
      text.slice(index * MAX_VARIABLE, (index + 1) * MAX_VARIABLE),
    ]),
  );
}

/** Private to this machine: unlike a run's folder, which is handed on, these files hold the key. */
const FOLDER = "reports/runners";

const TEMPLATE = new URL("../../kubernetes/testrun.yaml", import.meta.url);

/** The name of the TestRun, the Secret and the ConfigMap of a run. */
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

/** Renders what `kubectl create` takes: the scripts as a ConfigMap, the settings as a Secret, and the TestRun. */
export function renderManifest(
  execution: Pick<Execution, "run" | "target">,
  runners: number,
  archive: Buffer,
  secret: RunnerSecret,
): string {
  const metadata = { name: nameOf(execution.run.runId) };
  const base64 = (value: string) => Buffer.from(value).toString("base64");
  const scripts = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    binaryData: { "archive.tar": archive.toString("base64") },
  };
  const settings = {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    data: Object.fromEntries(
      Object.entries({ ...secret.variables, ...secret.files }).map(([name, value]) => [name, base64(value)]),
    ),
  };
  const documents = [scripts, settings].map((one) => stringify(one, { lineWidth: 0 }));
  return [...documents, renderTestRun(execution, runners, secret)].join("---\n");
}

function renderTestRun(
  execution: Pick<Execution, "run" | "target">,
  runners: number,
  { files, args }: RunnerSecret,
): string {
  const name = nameOf(execution.run.runId);
  const document = parseDocument(readFileSync(TEMPLATE, "utf8"));
  const runner = ["spec", "runner"];
  document.setIn(["metadata", "name"], name);
  document.setIn(["spec", "parallelism"], runners);
  document.setIn(["spec", "script", "configMap", "name"], name);
  document.setIn([...runner, "envFrom", 0, "secretRef", "name"], name);
  for (const arg of args) document.addIn(["spec", "args"], arg);
  const { cpu, memoryMb } = needsOf(execution, runners);
  document.setIn([...runner, "resources", "requests", "cpu"], cpu);
  document.setIn([...runner, "resources", "requests", "memory"], `${memoryMb}Mi`);
  document.setIn([...runner, "resources", "limits", "memory"], `${memoryMb}Mi`);
  document.setIn([...runner, "env", 0, "value"], `${Math.floor(memoryMb * MEMORY_LIMIT)}MiB`);
  if (Object.keys(files).length > 0) {
    const items = Object.keys(files).map((key) => ({ key, path: key }));
    document.setIn([...runner, "volumes"], [{ name: "files", secret: { secretName: name, items } }]);
    document.setIn([...runner, "volumeMounts"], [{ name: "files", mountPath: FILES, readOnly: true }]);
  }
  return document.toString();
}

/** A request costs k6 about 0.1 ms of CPU; half of the CPU stays free, so that nothing waits. */
const CPU_PER_REQUEST = 0.0002;
/** What k6 needs without VUs, and for each VU, which may all be busy with a slow target. */
const BASE_MEMORY_MB = 192;
const MEMORY_PER_VU_MB = 0.5;

function needsOf(execution: Pick<Execution, "run" | "target">, runners: number) {
  const { profile } = execution.run;
  const cpu = Math.max(0.25, (profile.rate / runners) * CPU_PER_REQUEST);
  const memory = BASE_MEMORY_MB + vusOf(profile, clientIn(execution), runners).most * MEMORY_PER_VU_MB;
  return { cpu: `${Math.ceil(cpu * 20) * 50}m`, memoryMb: Math.ceil(memory / 64) * 64 };
}
