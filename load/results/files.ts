import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showSearched } from "../../fixtures/engine/redaction/leaks.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Invocation } from "../../reports/command-line/command.ts";
import { showsColor } from "../../reports/console/layout.ts";
import { inertJson } from "../../reports/wording.ts";
import { renderResult } from "./console.ts";
import { renderLoadPage } from "./page/load-page.ts";
import { type LoadResult, RESULT } from "./result.ts";

/** Writes a JSON file by rename, so that no reader sees half of it. */
export function writeJson(file: string, content: unknown) {
  const written = (_: string, member: unknown) => (typeof member === "number" ? shortened(member) : member);
  writeFileSync(`${file}.part`, `${inertJson(content, 2, written)}\n`);
  renameSync(`${file}.part`, file);
}

/** A number with no more digits than are measured: 5.1000000037 may look like an account number. */
const shortened = (value: number) =>
  Math.abs(value) < 1 ? Number(value.toPrecision(6)) : Math.round(value * 1e6) / 1e6;

/** Writes `result.json`, and `load.html`, which is made from it. */
export function writeResults(directory: string, result: LoadResult): void {
  writeJson(join(directory, RESULT), result);
  writeFileSync(join(directory, "load.html"), renderLoadPage(result));
}

/** Prints the result of a load; returns the exit code. */
export function publishResult(
  directory: string,
  result: LoadResult,
  redactor: Redactor,
  invocation: Invocation,
): number {
  const { exitCode } = result;
  const color = showsColor(invocation.stdout, invocation.env);
  const render = (place: string) => renderResult(result, { color, directory: place });
  const summary = renderResult(result, { color: false, directory });
  return showSearched({ directory, exitCode, render, summary }, redactor, invocation);
}
