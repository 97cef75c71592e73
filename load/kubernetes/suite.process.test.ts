import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { startProgram } from "../../fixtures/testing/spawned.ts";

type Pod = { readonly spec: { readonly containers: readonly [{ readonly command: readonly string[] }] } };

test("the pod of the suite handles SIGTERM, which the first process of a container otherwise ignores", async () => {
  const documents = parseAllDocuments(readFileSync(new URL("suite.yaml", import.meta.url), "utf8"));
  const [, pod] = documents.map((one) => one.toJS() as unknown) as unknown as readonly [unknown, Pod];
  const [program = "", ...args] = pod.spec.containers[0].command;
  const folder = temporaryFolder();
  writeFileSync(join(folder, "sleep"), "#!/bin/sh\necho asleep\nexec tail -f /dev/null\n", { mode: 0o755 });
  const variables = { PATH: `${folder}:${process.env.PATH}` };
  const { process: first, printed } = startProgram(program, args, { variables, folder, detached: true });
  // What it has started ends with the container.
  onTestFinished(() => void process.kill(-(first.pid ?? 0), "SIGKILL"));
  await expect.poll(printed, { timeout: 15_000 }).toBe("asleep\n");

  first.kill("SIGTERM");

  expect(await once(first, "exit")).toEqual([0, null]);
});
