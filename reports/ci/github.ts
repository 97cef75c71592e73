import { appendFileSync } from "node:fs";
import type { Environment } from "../command-line/command.ts";

/** GitHub rejects a summary of more than 1 MiB, and a character may take three bytes. */
const MOST_CHARACTERS = 300_000;

/**
 * Appends what the console says of a run to the summary of the GitHub job, if there is one; returns what prevented it. The
 * text is a code block, which nothing that a target returned can end.
 */
export function appendJobSummary(text: string, env: Environment = process.env): string | undefined {
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return undefined;
  const shown = text.slice(0, MOST_CHARACTERS).trimEnd();
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  try {
    appendFileSync(path, `${fence}text\n${shown}\n${fence}\n`);
    return undefined;
  } catch (error) {
    return `GITHUB_STEP_SUMMARY: the summary cannot be appended to ${path} (${(error as Error).message})`;
  }
}
