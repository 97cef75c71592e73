import type { ClientKind } from "./client.ts";
import type { RequestRow } from "./outcome.ts";
import type { Probes } from "./probes.ts";
import type { ReferenceForm } from "./templates/reference.ts";
import type { Template } from "./templates/template.ts";
import type { Profile } from "./traffic/profiles.ts";
import type { Step } from "./traffic/workloads.ts";

/** A step and the request that it sends. */
export interface SendableStep extends Step {
  readonly template: Template;
  readonly row: RequestRow;
}

/** The settings of a run. They contain secrets, so k6 gets them as JSON in its environment variable SETTINGS. */
export interface Settings {
  readonly workload: string;
  readonly steps: readonly [SendableStep, ...SendableStep[]];
  readonly profile: Profile & { readonly name: string };
  readonly runId: string;
  /** As REFERENCE_FORM says. */
  readonly referenceForm?: ReferenceForm;
  readonly client: ClientKind;
  /** How long the slowest request before the load took. */
  readonly expectedSeconds?: number;
  /** The JSON file with the records of which requests are made. */
  readonly pool?: { readonly file: string };
  /** How many processes of k6 share the run; each has an execution segment of the same size. */
  readonly runners?: number;
  readonly probes?: Probes;
  /** Whether k6's own metrics are used, by an output of k6 or its summary. */
  readonly metrics: boolean;
  /** The client certificate and its key in PEM, if the target wants one. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}
