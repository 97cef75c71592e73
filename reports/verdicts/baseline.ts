import { z } from "zod";
import { present, type Row, rowsOf, time } from "../wording.ts";
import { type CheckResult, type Frozen, isMustFailure, isUndecided, Level, Verdict } from "./verdict.ts";

/** An earlier run, whose failures are known: `gate` fails on new ones only. */
export const Baseline = z.object({
  path: z.string(),
  startedAt: z.string(),
  verdicts: z.record(z.string(), Verdict),
  /**
   * The critical findings of that run, each with the level of its check. They are known, even where they only warned: by
   * `--letter`, or in an earlier version.
   */
  critical: z.record(z.string(), Level).default({}),
});
export type Baseline = z.infer<typeof Baseline>;

/** What changed since a baseline; each list holds the ids of checks. */
export const SinceBaseline = Baseline.omit({ verdicts: true, critical: true }).extend({
  /** They fail, have no verdict any more, or vanished, and were all right before. */
  newFailures: z.array(z.string()),
  fixed: z.array(z.string()),
  /** They failed before and are not known to be fixed. */
  known: z.array(z.string()),
  /** Critical findings that are known although they only warned before. */
  onlyWarned: z.array(z.string()).default([]),
});
export type SinceBaseline = Frozen<z.infer<typeof SinceBaseline>>;

/** Compares checks with a baseline. `registered` holds every id of this suite, so that a check that was not selected has not vanished. */
export function sinceBaseline(
  checks: readonly CheckResult[],
  { path, startedAt, verdicts, critical }: Baseline,
  registered: ReadonlySet<string>,
): SinceBaseline {
  const present = new Set(checks.map(({ id }) => id));
  const vanished = Object.keys(verdicts).filter(
    (id) => verdicts[id] === "pass" && !present.has(id) && !registered.has(id),
  );
  const idsOf = (test: (check: CheckResult, before: Before) => boolean) =>
    checks.filter((check) => test(check, critical[check.id] ?? verdicts[check.id])).map(({ id }) => id);
  const known = idsOf(({ verdict }, before) => hasFailed(before) && verdict !== "pass");
  return {
    path,
    startedAt,
    newFailures: [...idsOf(isNewFailure), ...vanished],
    fixed: idsOf(isFixed),
    known,
    onlyWarned: known.filter((id) => verdicts[id] === "warn"),
  };
}

/** What changed since a baseline, for every report. */
export const baselineRows = ({
  path,
  startedAt,
  newFailures,
  fixed,
  known,
  onlyWarned,
}: SinceBaseline): Row[] => [
  ["Baseline", `${path} of ${time(startedAt)}`],
  ...Object.entries({ "New failures": newFailures, Fixed: fixed, Known: known }).map(
    ([label, ids]): Row => [label, present(String(ids.length), ids.join(", ")).join(": ")],
  ),
  ...rowsOf([
    [
      "Warned before",
      onlyWarned.length > 0 &&
        `${onlyWarned.length} of the known failures are critical findings that did not block a release then: ${onlyWarned.join(", ")}`,
    ],
  ]),
];

/** The verdict of an earlier run; of a critical finding, the level of its check. */
type Before = Verdict | Level | undefined;

const hasFailed = (before: Before) =>
  before === "fail" || before === "waived" || before === "MUST" || before === "SHOULD";

const isFixed = ({ verdict }: CheckResult, before: Before) => hasFailed(before) && verdict === "pass";

/**
 * Whether a check is worse than it was. A waiver and OUT_OF_SCOPE are decisions of the operator; anything else that
 * takes a passed MUST check its verdict may hide a failure.
 */
function isNewFailure(check: CheckResult, before: Before): boolean {
  if (isMustFailure(check) && before === "MUST") return true;
  if (check.verdict === "fail") return !hasFailed(before);
  const mayHide = isUndecided(check) && check.reason !== "out-of-scope";
  return before === "pass" && check.level === "MUST" && mayHide;
}
