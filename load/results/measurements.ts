import type { Paint } from "../../reports/console/paint.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationSummary, Summary } from "../k6/summary.ts";
import { type LatencyObjectives, MIN_SAMPLES, PERCENTILES, type Percentile } from "../k6/thresholds.ts";
import type { LoadResult, Validity } from "./result.ts";

/** Renders what k6 measured: a table of the operations, the rate, and the objectives that were not judged. */
export function measurementLines(result: LoadResult, measured: Summary, paint: Paint): string[] {
  return [...table(measured, paint), "", rateLine(result, measured), ...unjudgedObjectives(result, measured)];
}

function table({ operations, durationMs }: Summary, paint: Paint): string[] {
  const head = ["", "requests", "per s", ...PERCENTILES.map((name) => `${name} ms`), "max ms", "outcomes"];
  const rows = Object.entries(operations).map(([name, found]) => [
    name,
    `${found.requests}`,
    perSecond(found.requests, durationMs),
    ...PERCENTILES.map((percentile) => milliseconds(found, percentile)),
    milliseconds(found, "max"),
    outcomeCounts(found),
  ]);
  const [first = "", ...others] = alignColumns([head, ...rows]);
  const needed = PERCENTILES.map((name) => `${name} ${MIN_SAMPLES[name]}`).join(", ");
  return [paint("faint", first), ...others, paint("faint", `- means too few responses (needed: ${needed})`)];
}

/** Aligns columns: text (the first and the last one) to the left, figures to the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number, { length }: readonly string[]) =>
    column === 0 || column === length - 1 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, column, row))
      .join("  ")
      .trimEnd(),
  );
}

const perSecond = (count: number, durationMs: number) => (count / (durationMs / 1000)).toFixed(1);

function milliseconds({ latencyMs }: OperationSummary, statistic: Percentile | "max"): string {
  const value = latencyMs[statistic];
  if (value === undefined) return "-";
  return value.toFixed(value < 100 ? 1 : 0);
}

const outcomeCounts = ({ outcomes }: OperationSummary) =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");

const VALIDITIES: Readonly<Record<Validity, string>> = {
  valid: "valid",
  "generator-limited": "generator-limited, so the latencies are not the target's",
  "target-limited": "target-limited, so the target did not get the full rate",
};

function rateLine({ profile, validity, generator }: LoadResult, measured: Summary): string {
  const rate = perSecond(measured.iterations, measured.durationMs);
  if (profile.model === "closed")
    return `${rate} requests/s in a ${profile.name} run; its latencies do not represent load`;
  const facts = [
    `${rate} of ${profile.rate} requests/s`,
    `${plural(measured.dropped, "iteration")} dropped`,
    `p99 of the schedule lag ${(measured.scheduleLagP99Ms ?? 0).toFixed(0)} ms`,
    ...(generator.cpuShare === undefined ? [] : [`CPU ${(generator.cpuShare * 100).toFixed(0)} % busy`]),
  ];
  return `${facts.join(", ")}: ${VALIDITIES[validity]}`;
}

/** A reader must not take an objective that was not judged for one that was met. */
function unjudgedObjectives({ objectives }: LoadResult, { operations }: Summary): string[] {
  const unjudged = Object.entries(operations).flatMap(([name, { planned }]) => {
    const limits: LatencyObjectives = objectives?.latency?.[name] ?? {};
    const tooFew = PERCENTILES.filter((one) => limits[one] !== undefined && planned < MIN_SAMPLES[one]);
    return tooFew.length > 0 ? [`${name} ${tooFew.join(" ")}`] : [];
  });
  return unjudged.length > 0 ? [`Too few requests to judge these objectives: ${unjudged.join(", ")}`] : [];
}
