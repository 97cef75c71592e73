import { operations } from "../../schemas/contract.ts";
import { type Tally, talliesByOperation } from "../verdicts/headline.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { type Paint, styleOf } from "./paint.ts";

/**
 * Renders one line for each operation, in the order of section 4: its method, its id, and its checks by verdict. If the
 * operator selected some checks, the other operations are left out.
 */
export function operationTable(checks: readonly CheckResult[], paint: Paint, selected: boolean): string[] {
  const { tallies, rows } = talliesByOperation(checks, selected);
  const columns = tallies.filter(({ short }) => short !== "observed");
  const method = Math.max(...operations.map((operation) => operation.method.length));
  const name = Math.max(...operations.map((operation) => operation.id.length));
  const head = columns.map(({ short }) => inColumn(short, short)).join("");
  const lines = rows.map(({ operation, own }) => {
    const cells = columns.map((column) => cell(own.filter(column.counts).length, column, paint));
    return `${operation.method.padEnd(method)} ${operation.id.padEnd(name)}${cells.join("")}`;
  });
  return [`${" ".repeat(method + 1 + name)}${paint("dim", head)}`, ...lines];
}

function cell(number: number, { short, verdict }: Tally, paint: Paint): string {
  if (number === 0) return paint("dim", inColumn("-", short));
  const text = inColumn(`${number}`, short);
  return verdict ? paint(styleOf(verdict), text) : text;
}

const inColumn = (text: string, title: string) => text.padStart(title.length + 2);
