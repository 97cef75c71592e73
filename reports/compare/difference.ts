import { groupBy } from "../grouping.ts";
import { isNewFailure, type SinceBaseline } from "../verdicts/baseline.ts";
import { headline, targetName } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult, Observation, Verdict } from "../verdicts/verdict.ts";
import { shown } from "../verdicts/words.ts";
import { plural, printable } from "../wording.ts";

/** Says what changed from one run to another, for the console; `worse` is whether there are new failures. */
export function renderDifference(
  before: Verdicts,
  after: Verdicts,
): { readonly text: string; readonly worse: boolean } {
  const changes = changesOf(before, after);
  const fresh = changes.filter(({ isNewFailure }) => isNewFailure);
  const fixed = changes.filter(({ isFixed }) => isFixed);
  const others = changes.filter(({ isNewFailure, isFixed }) => !isNewFailure && !isFixed);
  const sections = [
    ...section("NEW FAILURES", fresh.map(changeLine)),
    ...section("FIXED", fixed.map(changeLine)),
    ...section("OTHER VERDICTS THAT CHANGED", others.map(changeLine)),
    ...section("OBSERVED ONLY BEFORE", observedOnlyIn(before, after).map(observationLine)),
    ...section("OBSERVED ONLY AFTER", observedOnlyIn(after, before).map(observationLine)),
    ...section(
      "TIMINGS (median of the checks that passed in both runs)",
      timingsOf(before, after).map(
        (timing) => `${timing.operation}: ${ms(timing.before)}, now ${ms(timing.after)}`,
      ),
    ),
  ];
  const lines = [
    `before  ${runLine(before)}`,
    `after   ${runLine(after)}`,
    ...(sections.length > 0 ? sections : ["", "Verdicts, observations and timings are the same."]),
    "",
    `${plural(fresh.length, "new failure")}, ${fixed.length} fixed, ${plural(changes.length, "verdict")} changed.`,
  ];
  return { text: lines.map(printable).join("\n"), worse: fresh.length > 0 };
}

/** Says what changed since the baseline of a gate, one line each. */
export function baselineLines({ path, startedAt, newFailures, fixed, known }: SinceBaseline): string[] {
  const list = (title: string, ids: readonly string[]) =>
    ids.length > 0 ? [`  ${title}: ${ids.join(", ")}`] : [];
  return [
    `Since the baseline ${path} of ${startedAt.slice(0, 10)}: ${plural(newFailures.length, "new failure")}, ${fixed.length} fixed, ${known.length} known.`,
    ...list("new", newFailures),
    ...list("fixed", fixed),
    ...list("known", known),
  ].map(printable);
}

const runLine = (file: Verdicts) =>
  `${headline(file)}, exit code ${file.exitCode}: ${targetName(file)}, ${file.startedAt.slice(0, 16).replace("T", " ")} UTC, suite ${file.suite.version}, seed ${file.seed}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ["", `${title} (${lines.length})`, ...lines.map((line) => `  ${line}`)] : [];

const changeLine = ({ id, before, after, message }: Change) =>
  `${id}: ${before ? shown[before].word : "absent"}, now ${after ? shown[after].word : "absent"}${message === undefined ? "" : ` (${message})`}`;

const observationLine = ({ item, operation, text }: Observation) => `${operation}: ${text} (${item})`;

const ms = (milliseconds: number) => `${Math.round(milliseconds)} ms`;

/** A check whose verdict differs between two runs; undefined where a run does not have the check. */
export interface Change {
  readonly id: string;
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  readonly isNewFailure: boolean;
  readonly isFixed: boolean;
  /** What the later run says about it. */
  readonly message?: string | undefined;
}

/** The checks of two runs whose verdicts differ, in the order of the later run. */
export function changesOf(before: Verdicts, after: Verdicts): Change[] {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Set(after.checks.map(({ id }) => id));
  const gone = before.checks.filter(({ id }) => !later.has(id));
  return [
    ...after.checks
      .filter((check) => check.verdict !== earlier.get(check.id)?.verdict)
      .map((check) => changeOf(check, earlier.get(check.id)?.verdict)),
    ...gone.map(({ id, verdict, level }) => ({
      id,
      before: verdict,
      after: undefined,
      isNewFailure: verdict === "pass" && level === "MUST" && !after.selected,
      isFixed: false,
    })),
  ];
}

const changeOf = (check: CheckResult, before: Verdict | undefined): Change => ({
  id: check.id,
  before,
  after: check.verdict,
  isNewFailure: isNewFailure(check, before),
  isFixed: (before === "fail" || before === "waived") && check.verdict === "pass",
  message: check.verdict === "pass" ? undefined : (check.actual ?? check.message),
});

/** Sentences of this item count the responses of one run, so that they differ between any two. */
const COUNTS_OF_A_RUN = "G19";

/** What only one of two runs observed. */
export function observedOnlyIn(one: Verdicts, other: Verdicts): Observation[] {
  const keyOf = ({ item, operation, text }: Observation) => JSON.stringify([item, operation, text]);
  const known = new Set(other.observations.map(keyOf));
  return one.observations.filter(
    (observation) => observation.item !== COUNTS_OF_A_RUN && !known.has(keyOf(observation)),
  );
}

/** How the usual duration of an operation's checks differs. */
export interface Timing {
  readonly operation: string;
  readonly before: number;
  readonly after: number;
}

/** Smaller differences are noise: checks wait for each other and share a rate limit. */
const NOTABLE = { factor: 2, milliseconds: 50 };

/** The operations whose checks took notably longer or shorter, by the median of the checks that passed in both runs. */
export function timingsOf(before: Verdicts, after: Verdicts): Timing[] {
  const earlier = new Map(before.checks.filter(hasPassed).map((check) => [check.id, check.durationMs]));
  const both = after.checks.filter((check) => hasPassed(check) && earlier.has(check.id));
  return [...groupBy(both, ({ operation }) => operation)]
    .map(([operation, checks]) => ({
      operation,
      before: median(checks.map(({ id }) => earlier.get(id) ?? 0)),
      after: median(checks.map(({ durationMs }) => durationMs)),
    }))
    .filter(isNotable);
}

const hasPassed = ({ verdict }: CheckResult) => verdict === "pass";

function isNotable({ before, after }: Timing): boolean {
  const [low, high] = [Math.min(before, after), Math.max(before, after)];
  return high - low >= NOTABLE.milliseconds && high >= low * NOTABLE.factor;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
