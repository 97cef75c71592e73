import { isBlocked } from "./open.ts";
import type { CheckResult, Verdict } from "./verdict.ts";

/** Verdicts that a report tells at length. */
const TOLD: readonly Verdict[] = ["fail", "warn", "inconclusive"];

/**
 * What follows from one failure, by the id of its check: where an operation is not at its path, everything else that was
 * found about it says so once more. A report tells it under the cause.
 */
export function consequencesOf(checks: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> {
  const missing = checks.filter(
    ({ id, operation, verdict }) => verdict === "fail" && id === `${operation}/exists`,
  );
  return new Map(
    missing.map((cause) => [
      cause.id,
      checks.filter(
        (check) =>
          check !== cause &&
          check.operation === cause.operation &&
          TOLD.includes(check.verdict) &&
          !isBlocked(check),
      ),
    ]),
  );
}
