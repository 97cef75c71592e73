import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../../reports/command-line/command.ts";
import { earlierRuns } from "../../reports/run-folders.ts";
import { type LoadResult, LoadResultFile, RESULT } from "./result.ts";

/**
 * Reads the `result.json` of a load run: the file, the folder of a run, or every run in a folder of runs. Throws a
 * {@link CommandError} (2) with one line if there is none or it is not one of this version.
 */
export function readResults(path: string): LoadResult[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [readResult(path)];
  const runs = earlierRuns(path).filter(({ kind }) => kind === "load");
  const files = runs.length > 0 ? runs.map((run) => run.path) : [path];
  return files.map((folder) => readResult(join(folder, RESULT)));
}

function readResult(path: string): LoadResult {
  const found = LoadResultFile.safeParse(parse(path));
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const where = z.core.toDotPath(problem?.path ?? []);
  throw new CommandError(2, [
    `${path} is not the result.json of a load run of this version: ${problem?.message} at ${where}`,
  ]);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new CommandError(2, [
      `${path} ${problem}: name the folder of a finished load run, a folder of such folders, or a result.json`,
    ]);
  }
}
