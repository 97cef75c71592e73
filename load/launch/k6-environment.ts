import { join } from "node:path";
import type { Target } from "../../fixtures/config/target.ts";
import type { LoadRun } from "../results/result.ts";
import type { RunFolder } from "./run-folder.ts";
import type { Prepared } from "./templates.ts";

/** k6's summary of a run, in the run's folder. */
export const SUMMARY = "summary.json";

/** The environment of k6: what the scripts read as their settings, and how k6 connects to the target. */
export function k6Environment(
  { values, tls, timeoutMs }: Target,
  run: LoadRun,
  folder: RunFolder,
  { templates }: Prepared,
): Record<string, string> {
  const { CA_FILE, HTTPS_PROXY } = values;
  return {
    WORKLOAD: run.workload,
    PROFILE: run.profile.name,
    RATE: String(run.profile.rate),
    DURATION: `${Math.round(run.profile.seconds * 1000)}ms`,
    RUN_ID: run.runId,
    REQUEST_TIMEOUT_MS: String(timeoutMs),
    OBJECTIVES: JSON.stringify(run.objectives ?? {}),
    TEMPLATES: JSON.stringify(templates),
    SUMMARY_FILE: join(folder.path, SUMMARY),
    ...(CA_FILE && { SSL_CERT_FILE: CA_FILE }),
    ...(HTTPS_PROXY && { HTTP_PROXY: HTTPS_PROXY, HTTPS_PROXY }),
    ...(tls.cert && tls.key && { TLS_CERT: tls.cert, TLS_KEY: tls.key }),
  };
}
