import { operations } from "../../schemas/contract.ts";
import { talliesFor } from "../verdicts/headline.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import type { Paint, Style } from "./paint.ts";

const STYLES: Readonly<Record<string, Style>> = {
  pass: "green",
  fail: "red",
  warn: "yellow",
  waived: "yellow",
  error: "red",
};

/**
 * Renders one line for each operation, in the order of section 4: its method, its id, and its checks by verdict. If the
 * operator selected some checks, the other operations are left out.
 */
export function operationTable(checks: readonly CheckResult[], paint: Paint, selected: boolean): string[] {
  const columns = talliesFor(checks).filter(({ short }) => short !== "observed");
  const method = Math.max(...operations.map((operation) => operation.method.length));
  const name = Math.max(...operations.map((operation) => operation.id.length));
  const head = columns.map(({ short }) => inColumn(short, short)).join("");
  const shown = operations.filter(({ id }) => !selected || checks.some(({ operation }) => operation === id));
  const lines = shown.map((operation) => {
    const own = checks.filter((check) => check.operation === operation.id);
    const cells = columns.map(({ short, counts }) => cell(own.filter(counts).length, short, paint));
    return `${operation.method.padEnd(method)} ${operation.id.padEnd(name)}${cells.join("")}`;
  });
  return [`${" ".repeat(method + 1 + name)}${paint("faint", head)}`, ...lines];
}

function cell(number: number, title: string, paint: Paint): string {
  if (number === 0) return paint("faint", inColumn("-", title));
  const text = inColumn(`${number}`, title);
  const style = STYLES[title];
  return style ? paint(style, text) : text;
}

const inColumn = (text: string, title: string) => text.padStart(title.length + 2);
