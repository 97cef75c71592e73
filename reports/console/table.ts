import { operations } from "../../schemas/contract.ts";
import { type CheckResult, UNDECIDED, type Verdict } from "../verdicts/verdict.ts";
import type { Paint, Style } from "./paint.ts";

interface Column {
  readonly title: string;
  readonly verdicts: readonly Verdict[];
  readonly style?: Style;
  /** The column is left out if no check has such a verdict. */
  readonly optional?: true;
}

const COLUMNS: readonly Column[] = [
  { title: "pass", verdicts: ["pass"], style: "green" },
  { title: "fail", verdicts: ["fail"], style: "red" },
  { title: "warn", verdicts: ["warn"], style: "yellow" },
  { title: "open", verdicts: UNDECIDED },
  { title: "waived", verdicts: ["waived"], style: "yellow", optional: true },
  { title: "error", verdicts: ["suite-error"], style: "red", optional: true },
];

/**
 * Renders one line for each operation, in the order of section 4: its method, its id, and its checks by verdict. If the
 * operator selected some checks, the other operations are left out.
 */
export function operationTable(checks: readonly CheckResult[], paint: Paint, selected: boolean): string[] {
  const columns = COLUMNS.filter((column) => !column.optional || count(checks, column) > 0);
  const method = Math.max(...operations.map((operation) => operation.method.length));
  const name = Math.max(...operations.map((operation) => operation.id.length));
  const head = columns.map(({ title }) => inColumn(title, title)).join("");
  const shown = operations.filter(({ id }) => !selected || checks.some(({ operation }) => operation === id));
  const lines = shown.map((operation) => {
    const own = checks.filter((check) => check.operation === operation.id);
    const cells = columns.map((column) => cell(count(own, column), column, paint));
    return `${operation.method.padEnd(method)} ${operation.id.padEnd(name)}${cells.join("")}`;
  });
  return [`${" ".repeat(method + 1 + name)}${paint("faint", head)}`, ...lines];
}

const count = (checks: readonly CheckResult[], { verdicts }: Column) =>
  checks.filter(({ verdict }) => verdicts.includes(verdict)).length;

function cell(number: number, { title, style }: Column, paint: Paint): string {
  if (number === 0) return paint("faint", inColumn("-", title));
  const text = inColumn(`${number}`, title);
  return style ? paint(style, text) : text;
}

const inColumn = (text: string, title: string) => text.padStart(title.length + 2);
