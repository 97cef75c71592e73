import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import { SCRIPT } from "../generator/generator.ts";
import { exampleSettings } from "../testing/example-load.ts";
import { k6Path, loadTest } from "../testing/load-command.ts";

/** k6 hangs on syntax that its compiler accepts and its engine does not. */
const MAX_MS = 60_000;

loadTest("k6 reads the scripts, and takes their options", { timeout: MAX_MS + 5_000 }, async () => {
  const settings = JSON.stringify({ ...exampleSettings("transfers", "soak"), runners: 1 });
  const args = ["inspect", "--execution-requirements", "-e", `SETTINGS=${settings}`, SCRIPT];

  const { stdout } = await promisify(execFile)(k6Path, args, { timeout: MAX_MS });

  expect(JSON.parse(stdout)).toMatchObject({
    scenarios: { load: { executor: "ramping-arrival-rate" } },
    totalDuration: expect.stringMatching(/^1h/),
    maxRedirects: 0,
    thresholds: { server_errors: [{ threshold: "rate<=0.5", abortOnFail: true }] },
  });
});
