import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Document, parseDocument, stringify } from "yaml";
import { MEMORY_LIMIT } from "../../generator/generator.ts";
import { vusOf } from "../../k6/traffic/executor.ts";
import type { Execution } from "../execution.ts";
import { clientIn } from "../settings.ts";
import { FILES, type HandOut } from "./hand-out.ts";

/** Private to this machine: unlike a run's folder, which is handed on, these files hold the key. */
const FOLDER = "reports/runners";

const TEMPLATE = new URL("../../kubernetes/testrun.yaml", import.meta.url);

/** The name of the TestRun, the Secret and the ConfigMap of a run. */
export const nameOf = (runId: string) => `load-${runId}`;

/** The file with all that a cluster needs for the runners of a run. */
export const manifestOf = (runId: string) => join(FOLDER, `${nameOf(runId)}.yaml`);

/** Writes what `kubectl create` takes, for its owner alone. */
export function writeManifest(runId: string, text: string): void {
  const path = manifestOf(runId);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Renders the scripts as a ConfigMap, the settings as a Secret, and the TestRun. */
export function renderManifest(
  execution: Pick<Execution, "run" | "target">,
  runners: number,
  archive: Buffer,
  given: HandOut,
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
      Object.entries({ ...given.variables, ...given.files }).map(([name, value]) => [name, base64(value)]),
    ),
  };
  const documents = [scripts, settings].map((one) => stringify(one, { lineWidth: 0 }));
  return [...documents, testRun(execution, runners, given).toString()].join("---\n");
}

/** Removes the file, once nobody needs it. */
export const removeManifest = (runId: string) => rmSync(manifestOf(runId), { force: true });

function testRun(
  execution: Pick<Execution, "run" | "target">,
  runners: number,
  { files, args }: HandOut,
): Document {
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
  return document;
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
