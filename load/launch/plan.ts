import { fileURLToPath } from "node:url";
import { z } from "zod";
import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { operations } from "../../schemas/contract.ts";
import type { K6 } from "../generator/binary.ts";
import type { Feed } from "../generator/outputs.ts";
import { readData, withData } from "../inputs/data.ts";
import { poolsOf } from "../inputs/pools.ts";
import { type ClientKind, clientOf } from "../k6/client.ts";
import { MAX_ITERATIONS, type References, referencesOf } from "../k6/templates/reference.ts";
import { iterationsOf } from "../k6/traffic/executor.ts";
import { scale, secondsOf } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import type { Limits, LoadRun } from "../results/result.ts";
import { everythingFor } from "./everything.ts";
import { type MoneyCall, moneyCalls } from "./money.ts";
import type { Options } from "./options.ts";
import { requireLength, requirePermission } from "./permission.ts";
import { type Prepared, prepare, recordsIn } from "./templates.ts";

/** What a run is to send, as the command line and the configuration say. */
export type Plan = ReturnType<typeof planOf>;

/** Plans a run; throws a `CommandError` (2) if its length is wrong or a file that the operator names cannot be used. */
export function planOf(options: Options, configured: Target) {
  const data = readData(configured);
  const target = data ? withData(configured, data) : configured;
  const { baseUrl, embedded, timeoutMs, values } = target;
  const { RATE: rate, DURATION: duration, TARGET_NAME, TARGET_VERSION: version } = values;
  const { name: workload, steps: named } = options.workload;
  const { steps, ...chosen } = named ? { steps: named, around: [], leftOut: [] } : everythingFor(target);
  const seconds = duration === undefined ? undefined : secondsOf(duration);
  const { name, ...shape } = options.profile;
  const profile = { name, ...scale(shape, rate, seconds) };
  const iterations = iterationsOf(profile);
  requireLength(workload, new Schedule(steps), iterations, MAX_ITERATIONS);
  const about = {
    target: { ...(TARGET_NAME && { name: TARGET_NAME }), ...(version && { version }), baseUrl, embedded },
    workload,
    steps,
    profile,
    client: options.client,
    iterations,
  };
  const kind = clientOf(options.client, timeoutMs);
  return { about, target, kind, pools: poolsOf(target, data), objectives: readObjectives(target), ...chosen };
}

const milliseconds = z.number().positive().exactOptional();
const share = z.number().min(0).max(1).exactOptional();

const Slo = z.strictObject({
  latency: z
    .partialRecord(
      z.enum(operations.map(({ id }) => id)),
      z.strictObject({ p50: milliseconds, p95: milliseconds, p99: milliseconds }),
    )
    .exactOptional(),
  serverErrors: share,
  technicalFailures: share,
  dropped: share,
}) satisfies z.ZodType<Limits>;

const SANDBOX_SLO = fileURLToPath(new URL("../slo/sandbox.json", import.meta.url));

/**
 * Reads the operator's service level objectives. Without them latency is only reported, since the specification has
 * no performance requirement, and failures have a default limit. Throws a `CommandError` (2) on an unusable file.
 */
export function readObjectives({ values, embedded }: Target): Limits | undefined {
  const path = values.SLO ?? (embedded ? SANDBOX_SLO : undefined);
  if (path === undefined) return undefined;
  return readJsonFile("SLO", path, Slo, "see load/slo/sandbox.json for an example");
}

/** A run that is allowed, and everything that it takes to send it. */
export interface ReadyRun {
  readonly target: Target;
  readonly client: Client;
  /** How the users of the load wait and repeat. */
  readonly kind: ClientKind;
  readonly k6: K6;
  readonly directory: string;
  readonly run: LoadRun;
  readonly references: References;
  readonly prepared: Prepared;
  readonly calls: readonly MoneyCall[];
  /** What feeds the outputs of k6 that get its metrics as well. */
  readonly outputs: Feed;
  readonly redactor: Redactor;
}

/** The run id of requests that are only built. */
const DRAFT = "00000000";

/** Builds a load without sending it, and applies the interlocks; returns the calls that would move money. */
export async function draftOf(plan: Plan): Promise<readonly MoneyCall[]> {
  const client = new Client(plan.target, DRAFT, { pathForms: BARE_PATHS });
  const { prepared, calls } = await requestsOf(plan, client, DRAFT).finally(() => client.close());
  const { workload, profile } = plan.about;
  requirePermission(plan.target, { workload, profile, prepared, calls });
  return calls;
}

/** Makes the requests of a run with this id. */
export async function requestsOf(
  { about, pools, around, kind, target }: Plan,
  client: Client,
  runId: string,
) {
  const { steps, iterations } = about;
  const prepared = await prepare(client, steps, pools, around);
  const references = referencesOf(runId, target.values.REFERENCE_FORM);
  return { prepared, references, calls: moneyCalls(references, prepared, iterations, kind) };
}

/** The content of `run.json`. */
export const runOf = (
  { about, objectives }: Plan,
  prepared: Prepared,
  { k6, ...rest }: Pick<LoadRun, "runId" | "command"> & { readonly k6: K6; readonly runners?: number },
): LoadRun => ({
  schema: "payments-conformance/load-run@1",
  suite: suiteIdentity(),
  ...about,
  records: recordsIn(prepared, about.iterations),
  k6: k6.version,
  ...rest,
  startedAt: new Date().toISOString(),
  ...(objectives && { objectives }),
});
