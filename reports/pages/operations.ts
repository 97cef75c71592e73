import { talliesByOperation } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, isExcluded, type Verdict } from "../verdicts/verdict.ts";
import { capitalised } from "../verdicts/words.ts";
import { html, type Markup } from "./html.ts";
import { section, table, verdictMark } from "./page.ts";

/** One row for each operation, in the order of the specification; a narrowed run shows only its own. */
export function operationSection({ checks, outOfScope, selected }: Verdicts): Markup | false {
  if (checks.length === 0) return false;
  const { tallies, rows } = talliesByOperation(checks, selected);
  const cells = rows.map(({ operation, own }) => {
    const path = `${operation.method} ${operation.route.replace(/^.*(?=\/external\/)/, "…")}`;
    const name = html`<strong>${operation.id}</strong><br><span class="id soft">${path}</span>`;
    return [
      name,
      verdict(own, outOfScope.includes(operation.id)),
      ...tallies.map(({ counts }) => cell(own.filter(counts).length)),
    ];
  });
  const numbers = tallies.map(({ title }) => ({ number: capitalised(title) }));
  return section(
    "operations",
    "Operations",
    table("Operations and their verdicts", ["Operation", "Verdict", ...numbers], cells),
  );
}

const cell = (number: number): Markup | string =>
  number > 0 ? `${number}` : html`<span class="zero">0</span>`;

/** The verdict on an operation, from its MUST checks and its failures; a warning only shows where they all passed. */
function verdict(checks: readonly CheckResult[], excluded: boolean): Markup {
  if (excluded) return verdictMark("excluded");
  const has = (...verdicts: Verdict[]) => checks.some(({ verdict }) => verdicts.includes(verdict));
  const must = checks.filter(({ level }) => level === "MUST");
  if (has("suite-error")) return verdictMark("suite-error");
  if (has("fail")) return verdictMark("fail");
  if (has("waived")) return verdictMark("waived");
  if (must.some((check) => check.verdict !== "pass" && !isExcluded(check))) return verdictMark("open");
  if (has("warn")) return verdictMark("warn");
  return verdictMark(must.length > 0 ? "pass" : "none");
}
