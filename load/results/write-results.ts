import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendJobSummary, withAnnotations } from "../../reports/ci/github.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { renderResult } from "./console.ts";
import { writeJson } from "./files.ts";
import { renderLoadJunit } from "./formats/junit.ts";
import { renderLoadSummary } from "./formats/summary.ts";
import { renderLoadPage } from "./page/load-page.ts";
import { type LoadResult, RESULT } from "./result.ts";
import { titleOf } from "./wording.ts";

/** Writes `result.json` and what is made from it: `load.html`, `summary.md` and `junit.xml`. */
export async function writeResults(directory: string, result: LoadResult): Promise<void> {
  writeJson(join(directory, RESULT), result);
  writeFileSync(join(directory, "summary.md"), renderLoadSummary(result));
  writeFileSync(join(directory, "junit.xml"), renderLoadJunit(result));
  writeFileSync(join(directory, "load.html"), await renderLoadPage(result));
}

/** Prints the result of a run, and appends its summary to that of the GitHub job. */
export function publishResult(directory: string, result: LoadResult): void {
  const { exitCode, because } = result;
  const annotations =
    exitCode === 0 ? [] : [{ kind: "error", title: titleOf(result), text: because } as const];
  process.stdout.write(
    withAnnotations(renderResult(result, { ...consoleOptions(), directory }), annotations),
  );
  const problem = appendJobSummary(renderLoadSummary(result));
  if (problem) process.stderr.write(`${problem}\n`);
}
