import type { Money } from "../../reports/verdicts/verdict.ts";
import type { Profile, ProfileName } from "../k6/profiles.ts";
import type { Summary } from "../k6/summary.ts";
import type { Objectives } from "../k6/thresholds.ts";
import type { WorkloadName } from "../k6/workloads.ts";
import type { Invariant } from "../reconcile/invariants.ts";
import type { Decision } from "./decision.ts";

/** Whether a run measured the target: the generator may have been too slow, or the target so slow that k6 had to drop. */
export type Validity = "valid" | "generator-limited" | "target-limited";

/** `run.json`, written before k6 starts: with it, every reference that can exist is known. */
export interface LoadRun {
  readonly schema: "payments-conformance/load-run@1";
  readonly suite: { readonly version: string; readonly commit: string };
  readonly target: {
    readonly name?: string;
    readonly version?: string;
    readonly baseUrl: string;
    readonly embedded: boolean;
  };
  readonly runId: string;
  readonly workload: WorkloadName;
  readonly profile: Profile & { readonly name: ProfileName };
  /** Iterations that k6 starts at most, one request each. */
  readonly iterations: number;
  readonly k6: string;
  readonly startedAt: string;
  readonly command: string;
  /** The service level objectives; absent when the operator gave none. */
  readonly objectives?: Objectives;
}

/** `result.json`, what a load run found out; its shape is versioned by `schema`. */
export interface LoadResult extends Omit<LoadRun, "schema"> {
  readonly schema: "payments-conformance/load@1";
  readonly finishedAt: string;
  /** Absent when k6 left none. */
  readonly measured?: Summary;
  readonly generator: { readonly cpuShare?: number };
  readonly validity: Validity;
  /** Transfer references that were compared with the transfer list. */
  readonly reconciled: number;
  readonly invariants: readonly Invariant[];
  readonly money: Money;
  /** What the suite itself failed at, one line each. */
  readonly problems: readonly string[];
  readonly outcome: Decision["outcome"];
  readonly exitCode: Decision["exitCode"];
  readonly because: string;
}
