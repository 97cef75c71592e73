import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CommandError } from "../command-line/command.ts";

/** The page that {@link writeAllurePage} writes into the folder of a run; it can be made again, so it is no evidence. */
export const ALLURE_PAGE = "allure.html";

const TITLE = "Payments Service External API, conformance";

/**
 * Makes Allure's report of a run as one file that needs no server and asks no other host; returns its path. Throws a
 * {@link CommandError} (2) if the run has no Allure results or Allure is not installed.
 */
export async function writeAllurePage(directory: string): Promise<string> {
  const page = join(directory, ALLURE_PAGE);
  const results = join(directory, "allure-results");
  if (!existsSync(results))
    throw new CommandError(2, [`${directory} has no allure-results: name the folder of a finished run`]);
  // Below the folder of the run, so that the page can be moved to its place in one step.
  const work = await mkdtemp(join(directory, "allure-"));
  try {
    await promisify(execFile)(
      process.execPath,
      [commandFile(), "allure2", "--single-file", "--report-name", TITLE, "--output", work, results],
      { env: { ...process.env, ALLURE_NO_ANALYTICS: "true" } },
    );
    await rename(join(work, "index.html"), page);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const [line = "without a message"] = said.trim().split("\n");
    throw new CommandError(2, [`Allure broke on ${results}: ${line}`]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return page;
}

function commandFile(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("allure")), "..", "cli.js");
  } catch {
    throw new CommandError(2, ["Allure is not installed: run npm ci without --omit=optional"]);
  }
}
