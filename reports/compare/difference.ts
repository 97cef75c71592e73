import { groupBy } from "../grouping.ts";
import { sinceBaseline } from "../verdicts/baseline.ts";
import { headline, targetName } from "../verdicts/headline.ts";
import { baselineOf, type Verdicts, verdictsById } from "../verdicts/run.ts";
import type { CheckResult, Observation } from "../verdicts/verdict.ts";
import { plural, printable, shown, time } from "../wording.ts";

/** Says what changed from one run to another, for the console; `worse` is whether there are new failures. */
export function renderDifference(before: Verdicts, after: Verdicts) {
  const verdicts = verdictsById(before);
  const now = new Map(after.checks.map((check) => [check.id, check]));
  // What was not selected has not vanished.
  const known = new Set(after.selected ? Object.keys(verdicts) : []);
  const { newFailures, fixed } = sinceBaseline(after.checks, baselineOf("", before), known);
  const changed = [...new Set([...now.keys(), ...Object.keys(verdicts)])].filter(
    (id) => verdicts[id] !== now.get(id)?.verdict,
  );
  const wordFor = (verdict: CheckResult["verdict"] | undefined) => (verdict ? shown[verdict].word : "absent");
  const lineOf = (id: string) => {
    const { verdict, actual, message = "" } = now.get(id) ?? {};
    const found = verdict === "pass" ? "" : (actual ?? message);
    return `${id}: ${wordFor(verdicts[id])}, now ${wordFor(verdict)}${found && ` (${found})`}`;
  };
  const others = changed.filter((id) => !newFailures.includes(id) && !fixed.includes(id));
  const sections = [
    ...section("NEW FAILURES", newFailures.map(lineOf)),
    ...section("FIXED", fixed.map(lineOf)),
    ...section("OTHER VERDICTS THAT CHANGED", others.map(lineOf)),
    ...section("OBSERVED ONLY BEFORE", observedOnlyIn(before, after)),
    ...section("OBSERVED ONLY AFTER", observedOnlyIn(after, before)),
    ...section("TIMINGS (median of the checks that passed in both runs)", timingsOf(before, after)),
  ];
  const lines = [
    `before  ${runLine(before)}`,
    `after   ${runLine(after)}`,
    ...(sections.length > 0 ? sections : ["", "Verdicts, observations and timings are the same."]),
    "",
    `${plural(newFailures.length, "new failure")}, ${fixed.length} fixed, ${plural(changed.length, "verdict")} changed.`,
  ];
  return { text: lines.map(printable).join("\n"), worse: newFailures.length > 0 };
}

const runLine = (file: Verdicts) =>
  `${headline(file)}, exit code ${file.exitCode}: ${targetName(file)}, ${time(file.startedAt)}, suite ${file.suite.version}, seed ${file.seed}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ["", `${title} (${lines.length})`, ...lines.map((line) => `  ${line}`)] : [];

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
