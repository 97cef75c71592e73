import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import type { K6 } from "../generator/binary.ts";

const Named = z.object({ name: z.string() });
const Manifest = z.tuple([
  z.object({ kind: z.literal("ConfigMap"), metadata: Named, binaryData: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal("Secret"), metadata: Named, data: z.record(z.string(), z.string()) }),
  z.object({
    kind: z.literal("TestRun"),
    metadata: Named,
    spec: z.looseObject({
      parallelism: z.int(),
      script: z.object({ configMap: z.object({ name: z.string(), file: z.string() }) }),
      args: z.array(z.string()),
      runner: z.looseObject({ envFrom: z.tuple([z.object({ secretRef: Named })]) }),
    }),
  }),
]);

/** Reads what `prepare` writes for a cluster. */
export function readManifest(path: string) {
  const documents = parseAllDocuments(readFileSync(path, "utf8"));
  const [scripts, settings, testRun] = Manifest.parse(documents.map((one) => one.toJS() as unknown));
  const decoded = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value, "base64")] as const);
  return {
    testRun,
    scripts: { name: scripts.metadata.name, files: new Map(decoded(scripts.binaryData)) },
    settings: {
      name: settings.metadata.name,
      variables: Object.fromEntries(decoded(settings.data).map(([name, value]) => [name, value.toString()])),
    },
  };
}

/**
 * Runs the runners of a manifest to their end, with the command lines of k6-operator 1.6 and started as it does, but on this
 * machine: as processes that listen on loopback. Returns the files with their logs.
 */
export async function runRunners(manifest: string, { path }: K6, folder: string): Promise<string[]> {
  const { testRun, scripts, settings } = readManifest(manifest);
  const { parallelism, script, args } = testRun.spec;
  const archive = join(folder, script.configMap.file);
  writeFileSync(archive, scripts.files.get(script.configMap.file) ?? "");
  const runners = await Promise.all(
    Array.from({ length: parallelism }, async (_, index) => {
      const port = await freePort();
      const log = join(folder, `${testRun.metadata.name}-${index + 1}.log`);
      const command = [
        ...["run", "--quiet", ...segmentOf(index, parallelism), ...args, archive],
        ...[`--address=127.0.0.1:${port}`, "--paused"],
        ...["--tag", `instance_id=${index + 1}`, "--tag", `testrun_name=${testRun.metadata.name}`],
      ];
      const output = openSync(log, "w");
      const child = spawn(path, command, {
        env: { PATH: process.env.PATH ?? "", HOME: folder, ...settings.variables },
        stdio: ["ignore", output, output],
      });
      closeSync(output);
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      return { child, ended: endOf(child), log, status: `http://127.0.0.1:${port}/v1/status` };
    }),
  );
  await Promise.all(runners.map(({ status }) => untilReady(status)));
  await Promise.all(runners.map(({ status }) => resume(status)));
  const failed = await Promise.all(
    runners.map(async ({ ended, log }) =>
      (await ended) === 0 ? [] : [readFileSync(log, "utf8").slice(-500)],
    ),
  );
  expect(failed.flat()).toEqual([]);
  return runners.map(({ log }) => log);
}

/** The parts of a run as pkg/segmentation of the operator writes them; a single runner has no part. */
function segmentOf(index: number, count: number): string[] {
  if (count === 1) return [];
  const edge = (at: number) => (at === 0 ? "0" : at === count ? "1" : `${at}/${count}`);
  const edges = Array.from({ length: count + 1 }, (_, at) => edge(at));
  return [
    `--execution-segment=${edge(index)}:${edge(index + 1)}`,
    `--execution-segment-sequence=${edges.join(",")}`,
  ];
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

const untilReady = (status: string) =>
  expect
    .poll(
      () =>
        fetch(status).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 20_000, interval: 50 },
    )
    .toBe(true);

async function resume(status: string): Promise<void> {
  const body = JSON.stringify({ data: { attributes: { paused: false }, id: "default", type: "status" } });
  const headers = { "Content-Type": "application/json" };
  const { status: code } = await fetch(status, { method: "PATCH", headers, body });
  expect(code).toBe(200);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
