import { code } from "../../reports/ci/markdown.ts";
import { type Paint, painter, type Style } from "../../reports/console/paint.ts";
import { plural, printable } from "../../reports/text/wording.ts";
import { targetOf } from "../results/headline.ts";
import { alignColumns } from "../results/measurements.ts";
import { BREAKPOINT, type Breakpoint, type BreakpointStep } from "./breakpoint-result.ts";
import { causeText } from "./cause.ts";

const STATES: Readonly<Record<BreakpointStep["state"], { readonly word: string; readonly style: Style }>> = {
  held: { word: "held", style: "green" },
  broke: { word: "not held", style: "red" },
  repeated: { word: "repeated", style: "yellow" },
  defect: { word: "defect", style: "red" },
  stopped: { word: "stopped", style: "yellow" },
};

const OUTCOMES: Readonly<Record<Breakpoint["outcome"], Style>> = {
  found: "green",
  failed: "red",
  undecided: "yellow",
  interrupted: "yellow",
  stopped: "red",
};

/** Says in one line what a step showed. */
export const stepLine = (step: BreakpointStep): string =>
  printable([`${nameOf(step)}:`, wordOf(step), ...findings(step).slice(0, 1)].join("  "));

const nameOf = ({ kind, rate, seconds }: BreakpointStep) =>
  kind === "ramp" ? `ramp to ${rate}/s in ${seconds} s` : `${rate}/s for ${seconds} s`;

const wordOf = ({ state, from }: BreakpointStep) =>
  from === undefined ? STATES[state].word : `${STATES[state].word} from ${from}/s on`;

const findings = ({ causes, defects, undecided }: BreakpointStep) => [
  ...defects,
  ...causes.map(causeText),
  ...undecided,
];

/** Renders the steps of a search, the highest rate first, and what it found. Ends with a line break. */
export function renderBreakpoint(
  found: Breakpoint,
  { color, directory }: { readonly color: boolean; readonly directory: string },
): string {
  const paint = painter(color);
  const { outcome, exitCode, because, money, target } = found;
  const lines = [
    "",
    ...table(found, paint),
    ...notes(found),
    "",
    `${paint(OUTCOMES[outcome], outcome.toUpperCase())} (exit code ${exitCode}): ${printable(because)}`,
    ...(money.most.count > 0 ? [`The search moved at most ${plural(money.kept.count, "payment")}.`] : []),
    `Written to ${directory}: ${BREAKPOINT}, breakpoint.md, and a folder for each run`,
    ...(target.embedded
      ? ["Demonstration: this search loaded the embedded sandbox, not a deployment of yours."]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function table({ steps }: Breakpoint, paint: Paint): string[] {
  const rows = steps.toSorted(byRate);
  const cells = rows.map((step) => [
    wordOf(step),
    step.kind === "ramp" ? `up to ${step.rate}/s` : `${step.rate}/s`,
    `${step.seconds} s`,
    `${step.requests}`,
  ]);
  const [first = "", ...aligned] = alignColumns([["", "rate", "time", "sent"], ...cells]);
  return [
    paint("dim", first),
    ...aligned.flatMap((line, index) => {
      const step = rows[index];
      if (!step) return [];
      const [what = "", ...more] = findings(step).map(printable);
      const indent = " ".repeat(line.length);
      return [
        `${paint(STATES[step.state].style, line)}  ${what}`.trimEnd(),
        ...more.map((one) => `${indent}  ${one}`),
      ];
    }),
  ];
}

/** The ramp first, which goes through all rates; then from the highest rate to the lowest one. */
const byRate = (a: BreakpointStep, b: BreakpointStep) =>
  Number(b.kind === "ramp") - Number(a.kind === "ramp") || b.rate - a.rate;

/** What limits the meaning of the two runs that decided, each with its rate. */
const notes = ({ steps, bounds: { held, broke } }: Breakpoint): string[] =>
  steps
    .filter(
      ({ kind, state, rate }) => kind === "hold" && state !== "repeated" && (rate === held || rate === broke),
    )
    .flatMap(({ rate, notes }) => notes.map((note) => printable(`${rate}/s: ${note}`)));

/** Renders `breakpoint.md`, the result in Markdown for a CI job. */
export function renderBreakpointSummary(found: Breakpoint): string {
  const { steps, target, workload, suite, startedAt, seconds, because, exitCode } = found;
  const rows = steps.toSorted(byRate).map((step) =>
    [
      step.kind === "ramp" ? `ramp to ${step.rate}` : step.rate,
      wordOf(step),
      step.requests,
      // A table ends a cell at a bar even within code.
      findings(step).map(code).join("<br>").replaceAll("|", "\\|"),
    ].join(" | "),
  );
  const head = ["requests/s | result | sent | what broke", "--:|---|--:|---"];
  const parts = [
    `# Breakpoint of ${code(targetOf(found))}`,
    ...(target.embedded
      ? ["**Demonstration:** this search loaded the embedded sandbox, not a deployment."]
      : []),
    `${code(because)} (exit code ${exitCode})`,
    [
      code(target.baseUrl),
      `workload ${workload}`,
      `held for ${seconds} s`,
      `suite ${suite.version}`,
      startedAt.slice(0, 10),
    ].join(" · "),
    [...head, ...rows].map((line) => `| ${line} |`).join("\n"),
    ...notes(found),
  ];
  return `${parts.join("\n\n")}\n`;
}
