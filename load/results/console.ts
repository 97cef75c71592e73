import { type Paint, painter, styleOf } from "../../reports/console/layout.ts";
import { alignColumns, cut, plural, printable } from "../../reports/wording.ts";
import {
  failuresIn,
  keyFigures,
  limitIn,
  operationRows,
  rateLine,
  scheduleOf,
  scopeOf,
} from "./measurements.ts";
import { type LoadResult, NEEDED_SAMPLES, PERCENTILES, type Summary } from "./result.ts";

/** How many references the console names for an invariant; result.json has all of them. */
const MAX_NAMED = 5;

/** Renders what a run is about to load, and how hard. Ends with a line break. */
export function renderStart(run: Pick<LoadResult, "target" | "workload" | "profile" | "iterations">): string {
  const { target, workload, profile } = run;
  const where = target.embedded
    ? "Demonstration: this run loads the embedded sandbox, not a deployment of yours (.env.example shows how to configure one)."
    : `Loading ${target.name ?? target.baseUrl}.`;
  return `${where}\nWorkload ${workload}, profile ${profile.name}: ${scheduleOf(run)}.\n`;
}

/** Renders the measurements, the invariants and the verdict of a run. Ends with a line break. */
export function renderResult(
  result: LoadResult,
  { color, directory }: { readonly color: boolean; readonly directory: string },
): string {
  const paint = painter(color);
  const { outcome, exitCode, because, measured, problems, runners, target } = result;
  const lines = [
    ...(measured ? measuredLines(result, measured, paint) : []),
    ...invariantLines(result, paint),
    ...(problems.length > 0 ? ["", ...problems.map(printable)] : []),
    "",
    ...(measured ? [figureLine(measured, paint)] : []),
    `${paint(styleOf(outcome), outcome.toUpperCase())} (exit code ${exitCode}): ${printable(because)}`,
    `Written to ${directory}: load.html, result.json, run.json, responses.log${runners === undefined ? ", k6.log" : ""}`,
    ...(target.embedded
      ? ["Demonstration: this run loaded the embedded sandbox, not a deployment of yours."]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function measuredLines(result: LoadResult, measured: Summary, paint: Paint): string[] {
  const { operations, series } = measured;
  const limit = limitIn(series);
  const failures = Object.entries(operations).map(([name, { outcomes }]) => [name, failuresIn(outcomes)]);
  return [
    "",
    ...operationTable(measured, paint),
    ...failures.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])),
    "",
    rateLine(result, measured),
    ...(limit ? [limit] : []),
    ...(result.runners === undefined ? [] : [`Merged from the logs of ${plural(result.runners, "runner")}.`]),
  ];
}

function operationTable(measured: Summary, paint: Paint): string[] {
  const [head = [], ...rows] = operationRows(measured, PERCENTILES).map((row) => row.map(String));
  const [first = "", ...others] = alignColumns([["", ...head.slice(1)], ...rows]);
  const needed = PERCENTILES.map((name) => `${name} ${NEEDED_SAMPLES[name]}`).join(", ");
  const notes = [
    "as asked: rejections that the request asked for, or may get; rejected: rejections of valid requests",
    `- means too few responses (needed: ${needed})`,
  ];
  return [paint("dim", first), ...others, ...notes.map((note) => paint("dim", note))];
}

function figureLine(measured: Summary, paint: Paint): string {
  const figures = keyFigures(measured).map(
    ({ label, value, note, isBad }) =>
      `${label}: ${paint(isBad ? "red" : "bold", value)}${note && ` (${note})`}`,
  );
  return figures.join(" | ");
}

function invariantLines(result: LoadResult, paint: Paint): string[] {
  const { invariants } = result;
  const named = (all: readonly string[]) => cut(all, MAX_NAMED, (count) => `${count} more in result.json`);
  if (invariants.length === 0) return [];
  const width = Math.max(...invariants.map(({ state }) => state.length));
  const idWidth = Math.max(...invariants.map(({ id }) => id.length));
  return [
    "",
    `Correctness under load (${scopeOf(result)}):`,
    ...invariants.flatMap(({ id, title, state, text, references }) => [
      `  ${id.padEnd(idWidth)}  ${paint(styleOf(state), state.padEnd(width))}  ${title}: ${printable(text)}`,
      ...(state === "held" || references.length === 0 ? [] : [`      ${named(references).join(", ")}`]),
    ]),
  ];
}
