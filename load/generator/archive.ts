import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SendableStep, Settings } from "../k6/settings.ts";
import type { K6 } from "./binary.ts";
import { bundleScripts } from "./bundle.ts";
import { CONFIG, inherited } from "./generator.ts";

/** k6 hangs on a script that its engine cannot read. */
const MAX_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Packs the scripts for other machines, as a tar file with the k6 options of the run that `settings` describe; leaves them in
 * the run's folder.
 */
export async function archiveScripts({ path }: K6, directory: string, settings: Settings): Promise<Buffer> {
  const script = await bundleScripts(join(directory, "k6"));
  const args = ["--config", CONFIG, "--exclude-env-vars", "--include-system-env-vars", "-O", "-", script];
  const SETTINGS = JSON.stringify({ ...settings, steps: settings.steps.map(withoutRequest) });
  const { stdout } = await promisify(execFile)(path, ["archive", ...args], {
    encoding: "buffer",
    timeout: MAX_MS,
    maxBuffer: MAX_BYTES,
    env: { SETTINGS, ...inherited(), K6_AUTO_EXTENSION_RESOLUTION: "false" },
  });
  return stdout;
}

/** The options depend on no request, so that nothing secret comes near the archive. */
const withoutRequest = (step: SendableStep): SendableStep => ({
  ...step,
  template: { url: "", headers: {}, body: null },
});
