import { plural, printable } from "../text/wording.ts";
import type { SinceBaseline } from "../verdicts/baseline.ts";
import { headline, targetName } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Observation } from "../verdicts/verdict.ts";
import { shown } from "../verdicts/words.ts";
import { type Change, changesOf, observedOnlyIn, timingsOf } from "./difference.ts";

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
