import { z } from "zod";
import { type CheckResult, UNDECIDED, Verdict } from "./verdict.ts";

/** An earlier run, whose failures are known: `gate` fails on new ones only. */
export const Baseline = z.object({
  path: z.string(),
  startedAt: z.string(),
  verdicts: z.record(z.string(), Verdict),
});
export type Baseline = z.infer<typeof Baseline>;

/** What changed since a baseline; each list holds the ids of checks. */
export interface SinceBaseline extends Pick<Baseline, "path" | "startedAt"> {
  /** They fail, have no verdict any more, or vanished, and were all right before. */
  readonly newFailures: readonly string[];
  readonly fixed: readonly string[];
  /** They failed before and are not known to be fixed. */
  readonly known: readonly string[];
}

/** Compares checks with a baseline. `registered` holds every id of this suite, so that a check that was not selected has not vanished. */
export function sinceBaseline(
  checks: readonly CheckResult[],
  { path, startedAt, verdicts }: Baseline,
  registered: ReadonlySet<string>,
): SinceBaseline {
  const present = new Set(checks.map(({ id }) => id));
  const vanished = Object.keys(verdicts).filter(
    (id) => verdicts[id] === "pass" && !present.has(id) && !registered.has(id),
  );
  const before = ({ id }: CheckResult) => verdicts[id];
  const ids = (some: readonly CheckResult[]) => some.map(({ id }) => id);
  return {
    path,
    startedAt,
    newFailures: [...ids(checks.filter((check) => isNewFailure(check, before(check)))), ...vanished],
    fixed: ids(checks.filter((check) => hasFailed(before(check)) && check.verdict === "pass")),
    known: ids(checks.filter((check) => hasFailed(before(check)) && check.verdict !== "pass")),
  };
}

const hasFailed = (verdict: Verdict | undefined) => verdict === "fail" || verdict === "waived";

/**
 * Whether a check is worse than it was. A waiver and OUT_OF_SCOPE are decisions of the operator; anything else that
 * takes a passed MUST check its verdict may hide a failure.
 */
export function isNewFailure({ verdict, level, reason }: CheckResult, before: Verdict | undefined): boolean {
  if (verdict === "fail") return !hasFailed(before);
  if (before !== "pass" || level !== "MUST" || reason === "out-of-scope") return false;
  return UNDECIDED.includes(verdict);
}
