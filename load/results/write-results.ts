import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { showSearched } from "../../fixtures/engine/redaction/leaks.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { forJobLog } from "../../reports/ci/github.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { renderResult } from "./console.ts";
import { writeJson } from "./files.ts";
import { renderLoadJunit, renderLoadSummary } from "./formats.ts";
import { titleOf } from "./measurements.ts";
import { renderLoadPage } from "./page/load-page.ts";
import { type LoadResult, RESULT } from "./result.ts";

/** Writes `result.json` and what is made from it: `load.html`, `summary.md` and `junit.xml`. */
export async function writeResults(directory: string, result: LoadResult): Promise<void> {
  writeJson(join(directory, RESULT), result);
  writeFileSync(join(directory, "summary.md"), renderLoadSummary(result));
  writeFileSync(join(directory, "junit.xml"), renderLoadJunit(result));
  writeFileSync(join(directory, "load.html"), await renderLoadPage(result));
}

/** Prints the result of a load, with an error for the GitHub job if it did not pass; returns the exit code. */
export function publishResult(directory: string, result: LoadResult, redactor: Redactor): number {
  const { exitCode, because } = result;
  const annotations =
    exitCode === 0 ? [] : [{ kind: "error", title: titleOf(result), text: because } as const];
  const render = (place: string) =>
    forJobLog(renderResult(result, { ...consoleOptions(), directory: place }), annotations);
  return showSearched({ directory, exitCode, render, summary: renderLoadSummary(result) }, redactor);
}
