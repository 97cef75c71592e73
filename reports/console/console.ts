import { operations } from "../../schemas/contract.ts";
import { sealedNames } from "../certificate/certificate.ts";
import type { Environment, Output } from "../command-line/command.ts";
import { baselineLines } from "../compare/difference.ts";
import { groupBy } from "../grouping.ts";
import { howToLoad, variablesIn } from "../verdicts/commands.ts";
import {
  coverage,
  outcomeOf,
  reasonOf,
  talliesByOperation,
  targetName,
  trafficLine,
} from "../verdicts/headline.ts";
import { expectedOf, moneyLines } from "../verdicts/money.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import { hasVerdict, isExcluded } from "../verdicts/verdict.ts";
import { plural, printable } from "../wording.ts";
import { findings } from "./findings.ts";
import { type Layout, oneLineEach, type Paint, painter, paragraph, section, styleOf } from "./layout.ts";

const EMBEDDED = "Demonstration: this run tested the embedded sandbox, not your deployment.";

/** Chooses colour and width by what `terminal` can do; respects `NO_COLOR` and `COLUMNS`. */
export function consoleOptions(terminal: Output = process.stdout, env: Environment = process.env) {
  const color = terminal.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const columns = Number(env.COLUMNS);
  // A terminal without a reader may say that it has no columns.
  const width = Number.isInteger(columns) && columns > 0 ? columns : terminal.columns || 100;
  return { color, width, whole: terminal.isTTY !== true };
}

/**
 * Renders what a person reads first: what was tested, the operations, the findings, what is open, and the outcome with
 * the reports that say more. Ends with a line break.
 */
export function renderResult(
  file: Verdicts,
  { color, ...options }: Omit<Layout, "paint"> & { readonly color: boolean },
): string {
  const { checks, target, baseline } = file;
  const paint = painter(color);
  const layout = { ...options, paint };
  const broken = checks.filter(hasVerdict("suite-error"));
  const problems = [
    ...file.problems,
    ...broken.map(({ id, message }) => `${id}: ${message ?? "the suite broke"}`),
  ];
  const repeated = checks.filter(
    ({ verdict, level }) => verdict === "fail" || (verdict === "inconclusive" && level === "MUST"),
  );
  const sent = trafficLine(file);
  const lines = [
    target.embedded ? EMBEDDED : tested(file),
    ...scope(file),
    ...paragraph(checks.length > 0 ? operationTable(file, paint) : []),
    ...section(`PROBLEMS (${problems.length})`, oneLineEach(problems, layout), layout, "red"),
    ...paragraph(howToLoad(variablesIn(repeated), file.keySource)),
    ...findings(file, layout),
    ...waiverTemplate(file),
    ...paragraph(alarming(file, paint)),
    ...paragraph(leftBehind(file)),
    ...paragraph(baseline ? baselineLines(baseline) : []),
    "",
    ...(sent ? [`${sent}.`] : []),
    `Reports written${options.directory ? ` to ${options.directory}` : ""}: ${written(file).join(", ")}`,
    verdict(file, paint),
    ...(target.embedded ? [EMBEDDED] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function tested({ target, startedAt }: Verdicts): string {
  const name = targetName({ target });
  const what = target.environment === "live" ? "Tested environment separation only:" : "Tested";
  const where = name === target.baseUrl ? name : `${name} at ${target.baseUrl}`;
  return printable(`${what} ${where} (${target.environment}) on ${startedAt.slice(0, 10)}.`);
}

function scope({ outOfScope, checks }: Verdicts): string[] {
  if (outOfScope.length === 0) return [];
  const excluded = plural(checks.filter(isExcluded).length, "check");
  return [`Declared out of scope: ${printable(outOfScope.join(", "))} (${excluded}).`];
}

/** The last line of a run: the outcome in capitals, how many operations it covers, and what decided. */
function verdict(file: Verdicts, paint: Paint): string {
  const words = `${outcomeOf(file).toUpperCase()}${coverage(file)}`;
  return `${paint(styleOf(file.outcome), words)}, exit code ${file.exitCode}: ${printable(reasonOf(file))}.`;
}

function alarming({ observations }: Verdicts, paint: Paint): string[] {
  const seen = observations.filter((observation) => observation.alarming);
  return [...groupBy(seen, ({ text }) => text)].map(([text, same]) => {
    const operations = same.map(({ operation }) => operation).join(", ");
    return paint("red", printable(`Permitted, but worth checking: ${text} (${operations})`));
  });
}

function leftBehind({ observations, created, money }: Verdicts): string[] {
  const { kept, worst, cap } = money;
  const recorded = plural(observations.length, "observation");
  const sums = moneyLines({ expected: expectedOf(money), worst, cap, actual: kept });
  return [
    ...(observations.length > 0
      ? [`The run recorded ${recorded} about what the specification leaves open: see observations.md.`]
      : []),
    ...(created.length > 0
      ? [
          `The run created ${plural(created.length, "record")}, which this API cannot delete: see created.csv.`,
        ]
      : []),
    ...(money.planned.count + kept.count > 0 ? ["Money, in the unit of the currency:", ...sums] : []),
  ];
}

function written(file: Verdicts): string[] {
  const names = Object.keys(file.digests).map((path) => path.replace(/\/.*/, "/"));
  return [VERDICTS_FILE, ...new Set(names), ...sealedNames(file)];
}

/** Leaves reason and owner empty, which the reader of the file rejects: no one can waive a failure by copying alone. */
function waiverTemplate(file: Verdicts): string[] {
  if (file.exitCode !== 1) return [];
  const month = 30 * 24 * 3600 * 1000;
  const expires = new Date(Date.parse(file.finishedAt) + month).toISOString().slice(0, 10);
  const entries = file.checks
    .filter(hasVerdict("fail"))
    .map((check) => `  ${JSON.stringify({ check: check.id, reason: "", owner: "", expires })}`);
  return [
    "",
    "To waive failures for a while, save this list to a file and set WAIVERS to its path.",
    "Delete the lines of failures that you do not waive, and fill in each reason and owner.",
    "[",
    entries.join(",\n"),
    "]",
  ];
}

/** One line for each operation, in the order of the specification: its method, its id, and its checks by verdict. */
function operationTable({ checks, selected }: Verdicts, paint: Paint): string[] {
  const { tallies, rows } = talliesByOperation(checks, selected);
  const columns = tallies.filter(({ short }) => short !== "observed");
  const method = Math.max(...operations.map((operation) => operation.method.length));
  const name = Math.max(...operations.map((operation) => operation.id.length));
  const inColumn = (text: string, title: string) => text.padStart(title.length + 2);
  const head = columns.map(({ short }) => inColumn(short, short)).join("");
  const lines = rows.map(({ operation, own }) => {
    const cells = columns.map(({ short, verdict, counts }) => {
      const number = own.filter(counts).length;
      if (number === 0) return paint("dim", inColumn("-", short));
      return verdict ? paint(styleOf(verdict), inColumn(`${number}`, short)) : inColumn(`${number}`, short);
    });
    return `${operation.method.padEnd(method)} ${operation.id.padEnd(name)}${cells.join("")}`;
  });
  return [`${" ".repeat(method + 1 + name)}${paint("dim", head)}`, ...lines];
}
