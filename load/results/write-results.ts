import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Redactor } from "../../fixtures/redaction/redaction.ts";
import { showSearched } from "../../fixtures/redaction/show-searched.ts";
import { withAnnotations } from "../../reports/ci/github.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { renderResult } from "./console.ts";
import { writeJson } from "./files.ts";
import { renderLoadJunit } from "./formats/junit.ts";
import { renderLoadSummary } from "./formats/summary.ts";
import { titleOf } from "./headline.ts";
import { renderLoadPage } from "./page/load-page.ts";
import { type LoadResult, RESULT } from "./result.ts";

/** Writes `result.json` and what is made from it: `load.html`, `summary.md` and `junit.xml`. */
export async function writeResults(directory: string, result: LoadResult): Promise<void> {
  writeJson(join(directory, RESULT), result);
  writeFileSync(join(directory, "summary.md"), renderLoadSummary(result));
  writeFileSync(join(directory, "junit.xml"), renderLoadJunit(result));
  writeFileSync(join(directory, "load.html"), await renderLoadPage(result));
}

/** What a load, or a search of several, has to tell once its files are written. */
interface Publication {
  readonly directory: string;
  readonly title: string;
  readonly exitCode: number;
  readonly because: string;
  /** What the console shows. */
  readonly render: (options: { readonly color: boolean; readonly directory: string }) => string;
  /** What is appended to the summary of the GitHub job. */
  readonly summary: string;
}

/** Prints a result, with an error for the GitHub job if it did not pass; returns the exit code. */
export function publish(publication: Publication, redactor: Redactor): number {
  const { directory, title, exitCode, because, render, summary } = publication;
  const annotations = exitCode === 0 ? [] : [{ kind: "error", title, text: because } as const];
  const shown = (place: string) =>
    withAnnotations(render({ ...consoleOptions(), directory: place }), annotations);
  return showSearched({ directory, exitCode, render: shown, summary }, redactor);
}

/** Publishes the result of a load; returns the exit code. */
export const publishResult = (directory: string, result: LoadResult, redactor: Redactor): number =>
  publish(
    {
      ...result,
      directory,
      title: titleOf(result),
      render: (options) => renderResult(result, options),
      summary: renderLoadSummary(result),
    },
    redactor,
  );
