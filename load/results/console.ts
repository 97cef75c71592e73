import { type Paint, painter, type Style } from "../../reports/console/paint.ts";
import { plural } from "../../reports/text/wording.ts";
import type { Invariant } from "../reconcile/judge.ts";
import { measurementLines } from "./measurements.ts";
import type { Decision, LoadResult } from "./result.ts";

/** How many references the console names for an invariant; result.json has all of them. */
const MAX_NAMED = 5;

const STATES: Readonly<Record<Invariant["state"], Style>> = {
  held: "green",
  broken: "red",
  undecided: "yellow",
  warned: "yellow",
  unjudged: "faint",
};

const OUTCOMES: Readonly<Record<Decision["outcome"], Style>> = {
  passed: "green",
  failed: "red",
  undecided: "yellow",
  interrupted: "yellow",
  error: "red",
};

/** Renders what a run is about to load, and how hard. Ends with a line break. */
export function renderStart(run: Pick<LoadResult, "target" | "workload" | "profile" | "iterations">): string {
  const { target, workload, profile, iterations } = run;
  const where = target.embedded
    ? "Demonstration: this run loads the embedded sandbox, not a deployment of yours (.env.example shows how to configure one)."
    : `Loading ${target.name ?? target.baseUrl}.`;
  const load =
    profile.model === "open"
      ? `${plural(iterations, "request")} in ${profile.seconds} s, ${profile.rate} per second`
      : `${plural(iterations, "request")}, at most ${profile.rate} per second`;
  return `${where}\nWorkload ${workload}, profile ${profile.name}: ${load}.\n`;
}

/** Renders the measurements, the invariants and the verdict of a run. Ends with a line break. */
export function renderResult(
  result: LoadResult,
  { color, directory }: { readonly color: boolean; readonly directory: string },
): string {
  const paint = painter(color);
  const { outcome, exitCode, because } = result;
  const lines = [
    ...(result.measured ? ["", ...measurementLines(result, result.measured, paint)] : []),
    ...invariantLines(result, paint),
    ...(result.problems.length > 0 ? ["", ...result.problems] : []),
    "",
    `${paint(OUTCOMES[outcome], outcome.toUpperCase())} (exit code ${exitCode}): ${because}`,
    `Written to ${directory}: load.html, result.json, summary.md, junit.xml, run.json, answers.log, k6.log`,
    ...(result.target.embedded
      ? ["Demonstration: this run loaded the embedded sandbox, not a deployment of yours."]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function invariantLines({ invariants, reconciled }: LoadResult, paint: Paint): string[] {
  if (invariants.length === 0) return [];
  const width = Math.max(...invariants.map(({ state }) => state.length));
  const idWidth = Math.max(...invariants.map(({ id }) => id.length));
  const scope =
    reconciled > 0
      ? `${plural(reconciled, "transfer reference")} looked up in the transfer list`
      : "no transfers were sent, so none was looked up";
  return [
    "",
    `Correctness under load (${scope}):`,
    ...invariants.flatMap(({ id, title, state, text, references }) => [
      `  ${id.padEnd(idWidth)}  ${paint(STATES[state], state.padEnd(width))}  ${title}: ${text}`,
      ...(state === "held" || references.length === 0 ? [] : [`      ${shortList(references)}`]),
    ]),
  ];
}

const shortList = (references: readonly string[]) =>
  references.length > MAX_NAMED
    ? `${references.slice(0, MAX_NAMED).join(", ")} and ${references.length - MAX_NAMED} more in result.json`
    : references.join(", ");
