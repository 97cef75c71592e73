import { capitalised, shown } from "../../reports/verdicts/words.ts";
import { percent, plural } from "../../reports/wording.ts";
import { latencyText } from "./measurements.ts";
import { outcomesIn } from "./outcome-counts.ts";
import type { LoadResult } from "./result.ts";
import type { OperationSummary, Summary } from "./result.ts";
import { DEFAULT_LIMIT } from "./thresholds.ts";

/** How to set another limit than the default one. */
export const OTHER_LIMITS = "to set other limits, give technicalFailures and dropped in SLO";

/** Says by which limits a run was judged that kept all of them, and what was not judged. */
export function judgedIn(measured: Summary): string {
  const { thresholds } = measured;
  const judged = thresholds.filter(({ isJudged = true }) => isJudged);
  const objectives = judged.filter(({ isDefault = false }) => !isDefault).length;
  const byDefault = judged
    .filter(({ isDefault }) => isDefault)
    .map(({ kind }) => (kind === "dropped" ? "dropped iterations" : "failed requests"))
    .map((what) => `at most ${percent(DEFAULT_LIMIT)} ${what}`);
  return [
    ...(objectives > 0 ? [`${plural(objectives, "objective")} of SLO met`] : []),
    ...(byDefault.length > 0 ? [`default limits met (${byDefault.join(", ")})`] : []),
    ...thresholds.filter(({ isJudged }) => isJudged === false).map(({ text }) => text),
    ...latencyNote(measured),
  ].join("; ");
}

/** Says for which operations nothing limits the latency, if there are any: the specification has no limit. */
export function latencyNote({
  thresholds,
  operations,
}: Pick<Summary, "thresholds" | "operations">): string[] {
  const latencies = thresholds.filter(({ kind }) => kind === "latency");
  const judged = new Set(latencies.map(({ operation }) => operation)).size;
  const all = Object.keys(operations).length;
  if (judged >= all) return [];
  return judged === 0
    ? ["latency was not judged"]
    : [`latency was judged for ${judged} of ${plural(all, "operation")}`];
}

/** A figure that decides whether a load went well. */
interface KeyFigure {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  readonly isBad: boolean;
}

const written = (count: number) => count.toLocaleString("en-US");

/** The figures that matter most: failed requests, the highest p95, and iterations that were dropped. */
export function keyFigures(measured: Summary): KeyFigure[] {
  const { iterations, dropped, scheduleLagP99Ms } = measured;
  const outcomes = outcomesIn(measured);
  const { "server-error": crashes = 0, timeout = 0, "connection-error": unmade = 0, unknown = 0 } = outcomes;
  const { "auth-error": keys = 0, malformed = 0 } = outcomes;
  const counted = (label: string, count: number) => ({ label, value: written(count), isBad: count > 0 });
  return [
    counted("server errors", crashes),
    counted("timeouts", timeout),
    counted("lost connections", unmade + unknown),
    ...(keys > 0 ? [counted("rejected keys", keys)] : []),
    ...(malformed > 0 ? [counted("malformed responses", malformed)] : []),
    ...(scheduleLagP99Ms === undefined
      ? []
      : [
          {
            ...counted("dropped iterations", dropped),
            ...(dropped > 0 && { note: `of ${written(iterations + dropped)}` }),
          },
        ]),
    slowest(measured),
  ];
}

/** The operation with the highest p95, or with the slowest response where there are too few for a p95. */
function slowest(measured: Summary): KeyFigure {
  const found = Object.entries(measured.operations);
  const statistic = found.some(([, { latencyMs }]) => latencyMs.p95 !== undefined) ? "p95" : "max";
  const msOf = ({ latencyMs }: OperationSummary) => latencyMs[statistic] ?? -1;
  const [highest] = found.toSorted(([, a], [, b]) => msOf(b) - msOf(a));
  const few = statistic === "max" ? ["too few responses for a p95"] : [];
  return {
    label: statistic === "p95" ? "highest p95" : "slowest response",
    value: highest ? `${latencyText(highest[1], statistic)} ms` : "-",
    note: [...(highest ? [highest[0]] : []), ...few, ...latencyNote(measured)].join("; "),
    isBad: false,
  };
}

/** Says the outcome of a run in a few words: `Failed under load`. */
export const titleOf = ({ outcome }: Pick<LoadResult, "outcome">): string =>
  `${capitalised(shown[outcome].word)} under load`;
