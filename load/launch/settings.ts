import type { Target } from "../../fixtures/engine/config/target.ts";
import { type ClientKind, clientOf } from "../k6/client.ts";
import type { Probes } from "../k6/probes.ts";
import type { Settings } from "../k6/settings.ts";
import type { LoadRun } from "../results/result.ts";
import type { Execution } from "./execution.ts";

/** The client that a run has. */
export const clientIn = ({
  run,
  target,
}: Pick<Execution, "target"> & { readonly run: Pick<Sent, "client"> }): ClientKind =>
  clientOf(run.client ?? "patient", target.timeoutMs);

/** What the scripts have to know of a run, apart from its records and its client certificate. */
export function settingsOf(
  execution: Pick<Execution, "target" | "prepared" | "outputs"> & { readonly run: Sent },
  probes: Probes | undefined,
): Settings {
  const { target, run, prepared, outputs } = execution;
  return {
    workload: run.workload,
    steps: prepared.steps,
    profile: run.profile,
    runId: run.runId,
    ...(target.values.REFERENCE_FORM && { referenceForm: target.values.REFERENCE_FORM }),
    client: clientIn(execution),
    ...(probes && { probes }),
    metrics: outputs.args.length > 0,
  };
}

/** What of a run decides what k6 sends. */
type Sent = Pick<LoadRun, "workload" | "profile" | "runId" | "client">;

/** The variables with which k6 uses the proxy of the target. */
export const proxyOf = ({ values: { HTTPS_PROXY } }: Target): Record<string, string> =>
  HTTPS_PROXY ? { HTTP_PROXY: HTTPS_PROXY, HTTPS_PROXY } : {};
