import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CommandError } from "../../fixtures/config/command-line.ts";
import type { Target } from "../../fixtures/config/target.ts";
import { operations } from "../../schemas/contract.ts";
import type { Objectives } from "../k6/thresholds.ts";

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
}) satisfies z.ZodType<Objectives>;

const OF_THE_SANDBOX = fileURLToPath(new URL("../slo/sandbox.json", import.meta.url));

/**
 * Reads the operator's service level objectives; without any, latency is reported and not judged, since the
 * specification has no performance requirement. Throws a {@link CommandError} (2) on a file that is none.
 */
export function readObjectives({ values, embedded }: Target): Objectives | undefined {
  const path = values.SLO ?? (embedded ? OF_THE_SANDBOX : undefined);
  if (path === undefined) return undefined;
  const parsed = Slo.safeParse(read(path));
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new CommandError(2, [
    `SLO ${path}, ${problem?.path.join(".") || "at its top"}: ${problem?.message}; load/slo/sandbox.json is an example`,
  ]);
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    throw new CommandError(2, [
      `SLO ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}
