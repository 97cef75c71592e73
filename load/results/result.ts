import { z } from "zod";
import { Money } from "../../reports/verdicts/verdict.ts";
import { CLIENTS } from "../k6/client.ts";
import { ARRIVALS } from "../k6/traffic/profiles.ts";
import type { Steps } from "../k6/traffic/workloads.ts";
import { type Frozen, SummaryFile } from "./summary.ts";

/** The findings of a run, in its folder. */
export const RESULT = "result.json";

const limit = z.number().exactOptional();

/** The members that `run.json` and `result.json` share; `steps` aside, which a run may follow and a result only shows. */
export const RUN = {
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.url(),
    embedded: z.boolean(),
  }),
  runId: z.string(),
  workload: z.string(),
  profile: z.object({
    name: z.string(),
    model: z.enum(["open", "closed"]),
    rate: z.number(),
    seconds: z.number(),
    stages: z.array(z.object({ seconds: z.number(), rate: z.number() })).exactOptional(),
    arrivals: z.enum(ARRIVALS).exactOptional(),
    lookups: z.object({ after: z.number(), until: z.number() }).exactOptional(),
  }),
  client: z.enum(CLIENTS).exactOptional(),
  /** How many different customers and beneficiaries the requests name; absent where they name none. */
  records: z
    .object({ customers: z.int().exactOptional(), beneficiaries: z.int().exactOptional() })
    .exactOptional(),
  /** The most iterations that k6 starts; each sends one request, which an impatient client may send again. */
  iterations: z.int(),
  k6: z.string(),
  /** How many processes of k6 shared the load; absent if one sent all of it. */
  runners: z.int().exactOptional(),
  startedAt: z.iso.datetime(),
  command: z.string(),
  /** The operator's service level objectives; the specification has none. Shares are from 0 to 1. */
  objectives: z
    .object({
      /** The most milliseconds, by operation. */
      latency: z.record(z.string(), z.object({ p50: limit, p95: limit, p99: limit })).exactOptional(),
      serverErrors: limit,
      /** Of requests without a usable response. */
      technicalFailures: limit,
      /** Of iterations that k6 may drop because no virtual user is free. */
      dropped: limit,
    })
    .exactOptional(),
};

const Run = z.object(RUN);

/** `run.json`, written before k6 starts: every reference that the run can send follows from it. */
export type LoadRun = Frozen<z.infer<typeof Run>> & {
  readonly schema: "payments-conformance/load-run@1";
  readonly steps?: Steps;
};

/** `result.json`, the findings of a load run. A file may name operations that this version does not know. */
export const LoadResultFile = z.object({
  ...RUN,
  schema: z.literal("payments-conformance/load@2"),
  steps: z.array(z.object({ operation: z.string(), weight: z.number() })).exactOptional(),
  finishedAt: z.iso.datetime(),
  /** Absent if k6 sent nothing. */
  measured: SummaryFile.exactOptional(),
  /** The shares of the CPUs of the generator's machine that k6 and all programs used; absent where they are unknown. */
  generator: z.object({ cpuShare: z.number().optional(), machineShare: z.number().optional() }),
  /** Whether the latencies are the target's: k6 may have been too slow, or the target so slow that k6 had to drop. */
  validity: z.enum(["valid", "generator-limited", "target-limited"]),
  /** Why the suite stopped the load before its end, if it did. */
  stopped: z.string().exactOptional(),
  /** How many transfer references were looked up in the transfer list. */
  reconciled: z.int(),
  /** What must be true of the target under any load, and whether it was. */
  invariants: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /**
       * `warned`: the API should not do this, but no harm is proven. `unjudged`: nothing in this deployment shows it, and
       * the verdict does not depend on it.
       */
      state: z.enum(["held", "broken", "undecided", "warned", "unjudged"]),
      /** What was found; it continues the title. */
      text: z.string(),
      /** The references that it is about, or the X-Request-Id of a request without one. */
      references: z.array(z.string()),
    }),
  ),
  money: Money,
  /** Failures of the suite itself, one line each. */
  problems: z.array(z.string()),
  outcome: z.enum(["passed", "failed", "undecided", "interrupted", "error"]),
  exitCode: z.literal([0, 1, 4, 70, 130]),
  because: z.string(),
});

export type LoadResult = Frozen<z.infer<typeof LoadResultFile>>;
export type Decision = Pick<LoadResult, "outcome" | "exitCode" | "because">;
export type Generator = LoadResult["generator"];
export type Limits = NonNullable<LoadRun["objectives"]>;
export type Records = NonNullable<LoadRun["records"]>;
export type Validity = LoadResult["validity"];
