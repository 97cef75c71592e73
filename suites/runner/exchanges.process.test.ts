import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Exchange } from "../../fixtures/engine/evidence/exchange.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { consented } from "../testing/consented.ts";
import { execute, verdictsIn } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

test("npm run certify keeps every request that the deployment saw, each in a file of its own", async () => {
  const sandbox = await startSandbox({ seed: 3 });
  onTestFinished(() => sandbox.close());

  // Transfers share one control, and some checks give a request up, race, or close its connection.
  const only = ["createTransfer/idempotency/*", "listTransfers/paging/*", "getProfile/*", "*/accepted"];
  const ended = await execute("certify", ["--select", only.join(",")], consented(sandbox.env));

  const folder = join(ended.folder, "reports/out/latest/exchanges");
  const files = readdirSync(folder);
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Exchange;
  const seen = sandbox.log.map(({ requestId }) => `${requestId}.json`);
  expect(ended.stderr).toBe("");
  expect(seen.length).toBeGreaterThan(200);
  expect(new Set(seen.map((name) => name.toLowerCase())).size).toBe(seen.length);
  expect(seen.filter((name) => !files.includes(name))).toEqual([]);
  // The suite may give a request up before the deployment has read it.
  const unseen = files.filter((name) => !seen.includes(name));
  expect(unseen.filter((name) => read(name).response !== undefined)).toEqual([]);
  expect(files.filter((name) => `${read(name).requestId}.json` !== name)).toEqual([]);
  const shown = verdictsIn(ended).checks.flatMap(({ exchanges }) => exchanges);
  expect(shown.filter((path) => !files.includes(path.replace("exchanges/", "")))).toEqual([]);
});
