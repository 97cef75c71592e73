import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showSearched } from "../../fixtures/engine/redaction/leaks.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { forJobLog } from "../../reports/ci/github.ts";
import type { Invocation } from "../../reports/command-line/command.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { inertJson } from "../../reports/wording.ts";
import { renderResult } from "./console.ts";
import { renderLoadSummary } from "./formats.ts";
import { titleOf } from "./measurements.ts";
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

/** The text of a file; empty if there is none. */
export const readText = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Writes `result.json` and what is made from it: `load.html` and `summary.md`. */
export function writeResults(directory: string, result: LoadResult): void {
  writeJson(join(directory, RESULT), result);
  writeFileSync(join(directory, "summary.md"), renderLoadSummary(result));
  writeFileSync(join(directory, "load.html"), renderLoadPage(result));
}

/** Prints the result of a load, with an error for the GitHub job if it did not pass; returns the exit code. */
export function publishResult(
  directory: string,
  result: LoadResult,
  redactor: Redactor,
  invocation: Invocation,
): number {
  const { exitCode, because } = result;
  const annotations =
    exitCode === 0 ? [] : [{ kind: "error", title: titleOf(result), text: because } as const];
  const render = (place: string) =>
    forJobLog(
      renderResult(result, { ...consoleOptions(invocation.stdout, invocation.env), directory: place }),
      annotations,
    );
  return showSearched(
    { directory, exitCode, render, summary: renderLoadSummary(result) },
    redactor,
    invocation,
  );
}
