import type { OperationName } from "./generated/requests.ts";
import type { Probes } from "./probes.ts";
import type { Profile } from "./profiles.ts";
import type { ReferenceForm } from "./reference.ts";
import type { Objectives } from "./thresholds.ts";
import type { WorkloadName } from "./workloads.ts";

/** Marks the place of the reference in a request template. */
export const REFERENCE = "{{reference}}";

/** The request of one operation, with {@link REFERENCE} in place of its reference. */
export interface Template {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The settings of a run. They contain secrets, so k6 gets them as JSON in its environment variable SETTINGS. */
export interface Settings {
  readonly workload: WorkloadName;
  readonly profile: Profile;
  readonly runId: string;
  /** As REFERENCE_FORM says. */
  readonly referenceForm?: ReferenceForm;
  readonly timeoutMs: number;
  readonly objectives: Objectives;
  readonly templates: Readonly<Partial<Record<OperationName, Template>>>;
  readonly probes?: Probes;
  /** The client certificate and its key in PEM, if the target wants one. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}
