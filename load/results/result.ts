import type { Money } from "../../reports/verdicts/verdict.ts";
import type { Profile, ProfileName } from "../k6/profiles.ts";
import type { Summary } from "../k6/summary.ts";
import type { Objectives } from "../k6/thresholds.ts";
import type { WorkloadName } from "../k6/workloads.ts";
import type { Invariant } from "../reconcile/judge.ts";

/** The findings of a run, in its folder. */
export const RESULT = "result.json";

/** Whether the latencies are the target's: k6 may have been too slow, or the target so slow that k6 had to drop. */
export type Validity = "valid" | "generator-limited" | "target-limited";

/** `run.json`, written before k6 starts: every reference that the run can send follows from it. */
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
  /** The most iterations that k6 starts; each sends one request. */
  readonly iterations: number;
  readonly k6: string;
  readonly startedAt: string;
  readonly command: string;
  readonly objectives?: Objectives;
}

export interface Decision {
  readonly outcome: "passed" | "failed" | "undecided" | "interrupted" | "error";
  readonly exitCode: 0 | 1 | 4 | 70 | 130;
  readonly because: string;
}

/** `result.json`, the findings of a load run; `schema` is the version of its shape. */
export interface LoadResult extends Omit<LoadRun, "schema">, Decision {
  readonly schema: "payments-conformance/load@1";
  readonly finishedAt: string;
  /** Absent if k6 wrote no summary. */
  readonly measured?: Summary;
  readonly generator: { readonly cpuShare?: number };
  readonly validity: Validity;
  /** How many transfer references were looked up in the transfer list. */
  readonly reconciled: number;
  readonly invariants: readonly Invariant[];
  readonly money: Money;
  /** Failures of the suite itself, one line each. */
  readonly problems: readonly string[];
}
