import { z } from "zod";
import { Money } from "../../reports/verdicts/verdict.ts";
import { CLIENTS, type ClientName } from "../k6/client.ts";
import type { Objectives } from "../k6/thresholds.ts";
import { ARRIVALS, type Profile } from "../k6/traffic/profiles.ts";
import type { Steps } from "../k6/traffic/workloads.ts";
import type { Invariant } from "./invariant.ts";
import { type Summary, SummaryFile } from "./summary.ts";

/** The findings of a run, in its folder. */
export const RESULT = "result.json";

/** How many different customers and beneficiaries the requests of a run name; absent where they name none. */
export interface Records {
  readonly customers?: number;
  readonly beneficiaries?: number;
}

/** Whether the latencies are the target's: k6 may have been too slow, or the target so slow that k6 had to drop. */
export type Validity = "valid" | "generator-limited" | "target-limited";

/** The operator's limits. */
export interface Limits extends Objectives {
  /** The share of iterations that k6 may drop because no virtual user is free, from 0 to 1. */
  readonly dropped?: number | undefined;
}

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
  readonly workload: string;
  readonly steps?: Steps;
  readonly profile: Profile & { readonly name: string };
  readonly client?: ClientName;
  readonly records?: Records;
  /** The most iterations that k6 starts; each sends one request, which an impatient client may send again. */
  readonly iterations: number;
  readonly k6: string;
  /** How many processes of k6 shared the load; absent if one sent all of it. */
  readonly runners?: number;
  readonly startedAt: string;
  readonly command: string;
  readonly objectives?: Limits;
}

/** What the CPUs of the generator's machine did during the load, as shares of all of them; absent where it is unknown. */
export interface Generator {
  readonly cpuShare?: number | undefined;
  /** Of all programs, k6 among them. */
  readonly machineShare?: number | undefined;
}

export interface Decision {
  readonly outcome: "passed" | "failed" | "undecided" | "interrupted" | "error";
  readonly exitCode: 0 | 1 | 4 | 70 | 130;
  readonly because: string;
}

/**
 * `result.json`, the findings of a load run; `schema` is the version of its shape. A file may name operations
 * that this version does not know.
 */
export interface LoadResult extends Omit<LoadRun, "schema" | "steps">, Decision {
  readonly schema: "payments-conformance/load@2";
  readonly steps?: readonly { readonly operation: string; readonly weight: number }[];
  readonly finishedAt: string;
  /** Absent if k6 sent nothing. */
  readonly measured?: Summary;
  readonly generator: Generator;
  readonly validity: Validity;
  /** Why the suite stopped the load before its end, if it did. */
  readonly stopped?: string;
  /** How many transfer references were looked up in the transfer list. */
  readonly reconciled: number;
  readonly invariants: readonly (Omit<Invariant, "id"> & { readonly id: string })[];
  readonly money: Money;
  /** Failures of the suite itself, one line each. */
  readonly problems: readonly string[];
}

const limit = z.number().exactOptional();

/** The members that `run.json` and `result.json` share; `steps` aside, which a run may follow and a result only shows. */
export const RUN = {
  suite: z.looseObject({ version: z.string(), commit: z.string() }),
  target: z.looseObject({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.url(),
    embedded: z.boolean(),
  }),
  runId: z.string(),
  workload: z.string(),
  profile: z.looseObject({
    name: z.string(),
    model: z.enum(["open", "closed"]),
    rate: z.number(),
    seconds: z.number(),
    stages: z.array(z.object({ seconds: z.number(), rate: z.number() })).exactOptional(),
    arrivals: z.enum(ARRIVALS).exactOptional(),
    lookups: z.object({ after: z.number(), until: z.number() }).exactOptional(),
  }),
  client: z.enum(CLIENTS).exactOptional(),
  records: z
    .object({ customers: z.int().exactOptional(), beneficiaries: z.int().exactOptional() })
    .exactOptional(),
  iterations: z.int(),
  k6: z.string(),
  runners: z.int().exactOptional(),
  startedAt: z.iso.datetime(),
  command: z.string(),
  objectives: z
    .looseObject({
      latency: z.record(z.string(), z.looseObject({ p50: limit, p95: limit, p99: limit })).exactOptional(),
      serverErrors: limit,
      technicalFailures: limit,
      dropped: limit,
    })
    .exactOptional(),
};

/** Reads `result.json`. Members that another version adds are kept. */
export const LoadResultFile = z.looseObject({
  ...RUN,
  schema: z.literal("payments-conformance/load@2"),
  steps: z.array(z.looseObject({ operation: z.string(), weight: z.number() })).exactOptional(),
  finishedAt: z.iso.datetime(),
  measured: SummaryFile.loose().exactOptional(),
  generator: z.looseObject({
    cpuShare: z.number().exactOptional(),
    machineShare: z.number().exactOptional(),
  }),
  validity: z.enum(["valid", "generator-limited", "target-limited"]),
  stopped: z.string().exactOptional(),
  reconciled: z.int(),
  invariants: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      state: z.enum(["held", "broken", "undecided", "warned", "unjudged"]),
      text: z.string(),
      references: z.array(z.string()),
    }),
  ),
  money: Money.loose(),
  problems: z.array(z.string()),
  outcome: z.enum(["passed", "failed", "undecided", "interrupted", "error"]),
  exitCode: z.literal([0, 1, 4, 70, 130]),
  because: z.string(),
}) satisfies z.ZodType<LoadResult>;
