import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { operations } from "../../schemas/contract.ts";
import type { Limits } from "../results/result.ts";

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
