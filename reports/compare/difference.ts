import { groupBy } from "../grouping.ts";
import { isFixed, isNewFailure, type SinceBaseline } from "../verdicts/baseline.ts";
import { headline, targetName } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult, Observation, Verdict } from "../verdicts/verdict.ts";
import { shown } from "../verdicts/words.ts";
import { plural, printable } from "../wording.ts";

/** Says what changed from one run to another, for the console; `worse` is whether there are new failures. */
export function renderDifference(before: Verdicts, after: Verdicts) {
  const changes = changesOf(before, after);
  const linesOf = (kind: Change["kind"]) =>
    changes.flatMap((change) => (change.kind === kind ? change.line : []));
  const [fresh, fixed] = [linesOf("new failure"), linesOf("fixed")];
  const sections = [
    ...section("NEW FAILURES", fresh),
    ...section("FIXED", fixed),
    ...section("OTHER VERDICTS THAT CHANGED", linesOf("other")),
    ...section("OBSERVED ONLY BEFORE", observedOnlyIn(before, after)),
    ...section("OBSERVED ONLY AFTER", observedOnlyIn(after, before)),
    ...section("TIMINGS (median of the checks that passed in both runs)", timingsOf(before, after)),
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
  const lists = Object.entries({ new: newFailures, fixed, known });
  return [
    `Since the baseline ${path} of ${startedAt.slice(0, 10)}: ${plural(newFailures.length, "new failure")}, ${fixed.length} fixed, ${known.length} known.`,
    ...lists.flatMap(([title, ids]) => (ids.length > 0 ? [`  ${title}: ${ids.join(", ")}`] : [])),
  ].map(printable);
}

const runLine = (file: Verdicts) =>
  `${headline(file)}, exit code ${file.exitCode}: ${targetName(file)}, ${file.startedAt.slice(0, 16).replace("T", " ")} UTC, suite ${file.suite.version}, seed ${file.seed}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ["", `${title} (${lines.length})`, ...lines.map((line) => `  ${line}`)] : [];

/** A check whose verdict differs between two runs. */
interface Change {
  readonly kind: "new failure" | "fixed" | "other";
  readonly line: string;
}

/** The checks of two runs whose verdicts differ, in the order of the later run. */
function changesOf(before: Verdicts, after: Verdicts): Change[] {
  const earlier = new Map(before.checks.map((check) => [check.id, check.verdict]));
  const later = new Set(after.checks.map(({ id }) => id));
  const wordFor = (verdict: Verdict | undefined) => (verdict ? shown[verdict].word : "absent");
  const changed = after.checks.filter(({ id, verdict }) => verdict !== earlier.get(id));
  const gone = before.checks.filter(({ id }) => !later.has(id));
  return [
    ...changed.map((check): Change => {
      const { id, verdict, actual, message = "" } = check;
      const was = earlier.get(id);
      const found = verdict === "pass" ? "" : (actual ?? message);
      const kind = isFixed(check, was) ? "fixed" : isNewFailure(check, was) ? "new failure" : "other";
      return { kind, line: `${id}: ${wordFor(was)}, now ${wordFor(verdict)}${found && ` (${found})`}` };
    }),
    ...gone.map(({ id, verdict, level }): Change => {
      const isLost = verdict === "pass" && level === "MUST" && !after.selected;
      return { kind: isLost ? "new failure" : "other", line: `${id}: ${wordFor(verdict)}, now absent` };
    }),
  ];
}

/** Sentences of this item count the responses of one run, so that they differ between any two. */
const COUNTS_OF_A_RUN = "G19";

function observedOnlyIn(one: Verdicts, other: Verdicts): string[] {
  const lineOf = ({ item, operation, text }: Observation) => `${operation}: ${text} (${item})`;
  const known = new Set(other.observations.map(lineOf));
  const compared = one.observations.filter(({ item }) => item !== COUNTS_OF_A_RUN);
  return compared.map(lineOf).filter((line) => !known.has(line));
}

/** Smaller differences are noise: checks wait for each other and share a rate limit. */
const NOTABLE = { factor: 2, milliseconds: 50 };

/** The operations whose checks took notably longer or shorter, by the median of the checks that passed in both runs. */
function timingsOf(before: Verdicts, after: Verdicts): string[] {
  const passed = ({ checks }: Verdicts) => checks.filter(({ verdict }) => verdict === "pass");
  const earlier = new Map(passed(before).map((check) => [check.id, check.durationMs]));
  const both = passed(after).filter(({ id }) => earlier.has(id));
  return [...groupBy(both, ({ operation }) => operation)].flatMap(([operation, checks]) => {
    const medianOf = (duration: (check: CheckResult) => number) =>
      checks.map(duration).toSorted((a, b) => a - b)[Math.floor(checks.length / 2)] ?? 0;
    const [was, is] = [medianOf(({ id }) => earlier.get(id) ?? 0), medianOf(({ durationMs }) => durationMs)];
    const [low, high] = [Math.min(was, is), Math.max(was, is)];
    const isNotable = high - low >= NOTABLE.milliseconds && high >= low * NOTABLE.factor;
    return isNotable ? [`${operation}: ${Math.round(was)} ms, now ${Math.round(is)} ms`] : [];
  });
}
