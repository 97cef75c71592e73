import { z } from "zod";
import { present, type Row, time } from "../wording.ts";
import { type CheckResult, type Frozen, isMustFailure, isUndecided, Verdict } from "./verdict.ts";

/** What an earlier run found about a check; a critical finding that only warned, by `--letter`, is one all the same. */
const Before = z.enum([...Verdict.options, "critical"]);
type Before = z.infer<typeof Before> | undefined;

/** An earlier run, whose failures are known: `gate` fails on new ones only. */
export const Baseline = z.object({
  path: z.string(),
  startedAt: z.string(),
  /** What it found, by check. */
  found: z.record(z.string(), Before),
});
export type Baseline = z.infer<typeof Baseline>;

/** What changed since a baseline; each list holds the ids of checks. */
export const SinceBaseline = Baseline.omit({ found: true }).extend({
  /** They fail, have no verdict any more, or vanished, and were all right before. */
  newFailures: z.array(z.string()),
  fixed: z.array(z.string()),
  /** They failed before and are not known to be fixed. */
  known: z.array(z.string()),
});
export type SinceBaseline = Frozen<z.infer<typeof SinceBaseline>>;

/** Compares checks with a baseline. `registered` holds every id of this suite, so that a check that was not selected has not vanished. */
export function sinceBaseline(
  checks: readonly CheckResult[],
  { path, startedAt, found }: Baseline,
  registered: ReadonlySet<string>,
): SinceBaseline {
  const present = new Set(checks.map(({ id }) => id));
  const vanished = Object.keys(found).filter(
    (id) => found[id] === "pass" && !present.has(id) && !registered.has(id),
  );
  const idsOf = (test: (check: CheckResult, before: Before) => boolean) =>
    checks.filter((check) => test(check, found[check.id])).map(({ id }) => id);
  return {
    path,
    startedAt,
    newFailures: [...idsOf(isNewFailure), ...vanished],
    fixed: idsOf(({ verdict }, before) => hasFailed(before) && verdict === "pass"),
    known: idsOf(({ verdict }, before) => hasFailed(before) && verdict !== "pass"),
  };
}

/** What changed since a baseline, for every report. */
export const baselineRows = ({ path, startedAt, newFailures, fixed, known }: SinceBaseline): Row[] => [
  ["Baseline", `${path} of ${time(startedAt)}`],
  ...Object.entries({ "New failures": newFailures, Fixed: fixed, Known: known }).map(
    ([label, ids]): Row => [label, present(String(ids.length), ids.join(", ")).join(": ")],
  ),
];

const hasFailed = (before: Before) => before === "fail" || before === "waived" || before === "critical";

/**
 * Whether a check is worse than it was. A waiver and OUT_OF_SCOPE are decisions of the operator; anything else that
 * takes a passed MUST check its verdict may hide a failure.
 */
function isNewFailure(check: CheckResult, before: Before): boolean {
  if (isMustFailure(check) && before === "critical") return true;
  if (check.verdict === "fail") return !hasFailed(before);
  const mayHide = isUndecided(check) && check.reason !== "out-of-scope";
  return before === "pass" && check.level === "MUST" && mayHide;
}
