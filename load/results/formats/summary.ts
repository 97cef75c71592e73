import { code, list } from "../../../reports/ci/markdown.ts";
import { keyFigures, targetOf, titleOf } from "../headline.ts";
import { latencyText, perSecond, rateLine } from "../measurements.ts";
import { countIn, OUTCOME_COLUMNS } from "../outcome-counts.ts";
import type { LoadResult } from "../result.ts";
import { REPORTED_PERCENTILES, type Summary } from "../summary.ts";
import { throttlingIn, throttlingText } from "../throttling.ts";

/** Renders `summary.md`, the result in Markdown for a CI job. Everything from the target is in code, and so inert. */
export function renderLoadSummary(result: LoadResult): string {
  const { target, workload, profile, suite, startedAt, measured, invariants, problems } = result;
  const found = (state: LoadResult["invariants"][number]["state"]) =>
    invariants.filter((one) => one.state === state);
  const line = ({ id, title, text }: LoadResult["invariants"][number]) =>
    `**${id}** ${code(`${title}: ${text}`)}`;
  const where = [
    code(target.baseUrl),
    `workload ${workload}`,
    `profile ${profile.name}`,
    `suite ${suite.version}`,
    startedAt.slice(0, 10),
  ];
  const parts = [
    `# ${titleOf(result)}: ${code(targetOf(result))}`,
    ...(target.embedded
      ? ["**Demonstration:** this run loaded the embedded sandbox, not a deployment."]
      : []),
    `${code(result.because)} (exit code ${result.exitCode})`,
    ...(measured
      ? [
          keyFigures(measured)
            .map(({ label, value, note }) => `${label}: **${value}**${note ? ` (${note})` : ""}`)
            .join(" · "),
        ]
      : []),
    where.join(" · "),
    ...list("Problems", problems, code),
    ...list("Broken invariants", found("broken"), line),
    ...list("Undecided invariants", found("undecided"), line),
    ...list("Warnings", found("warned"), line),
    ...list("Broken thresholds", measured?.thresholds.filter(({ ok }) => !ok) ?? [], ({ text }) =>
      code(text),
    ),
    ...(measured
      ? [operationTable(measured), `${rateLine(result, measured)}.`, ...throttling(measured)]
      : []),
    "The whole report is `load.html` in the run's folder.",
  ];
  return `${parts.join("\n\n")}\n`;
}

function operationTable({ operations, durationMs }: Summary): string {
  const columns = [
    "sent",
    ...OUTCOME_COLUMNS,
    "per s",
    ...REPORTED_PERCENTILES.map((one) => `${one} ms`),
    "max ms",
  ];
  const rows = Object.entries(operations).map(([name, operation]) =>
    [
      name,
      operation.requests,
      ...OUTCOME_COLUMNS.map((column) => countIn(column, operation.outcomes)),
      perSecond(operation.requests, durationMs),
      ...[...REPORTED_PERCENTILES, "max" as const].map((one) => latencyText(operation, one)),
    ].join(" | "),
  );
  const lines = [
    ["operation", ...columns].join(" | "),
    ["---", ...columns.map(() => "--:")].join("|"),
    ...rows,
  ];
  return lines.map((one) => `| ${one} |`).join("\n");
}

function throttling({ series }: Summary): string[] {
  const found = throttlingIn(series);
  return found ? [`${throttlingText(found)}.`] : [];
}
