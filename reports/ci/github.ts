import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { printable } from "../text/wording.ts";
import { findingOf, headline, reasonOf } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { renderSummary } from "./summary.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** GitHub shows at most ten annotations of each kind for a step. */
const MOST = 10;

/**
 * Prepares the printed result of a run for the log of a GitHub job: what the target returned cannot give the runner
 * commands, and each failure and warning is an annotation. Elsewhere it returns `text` as it is.
 */
export function forJobLog(
  text: string,
  file: Verdicts,
  env: Environment = process.env,
  token: string = randomUUID(),
) {
  if (env.GITHUB_ACTIONS !== "true") return text;
  const inert = text && `::stop-commands::${token}\n${text}::${token}::\n`;
  return `${inert}${annotations(file)}`;
}

/** Prints the result of a run, and appends its summary to that of the GitHub job. */
export function publish(text: string, file: Verdicts): void {
  process.stdout.write(forJobLog(text, file));
  const problem = appendJobSummary(renderSummary(file));
  if (problem) process.stderr.write(`${problem}\n`);
}

/** Appends `summary` to the summary of the GitHub job, if there is one; returns what prevented it. */
export function appendJobSummary(summary: string, env: Environment = process.env): string | undefined {
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return undefined;
  try {
    appendFileSync(path, `${summary}\n`);
    return undefined;
  } catch (error) {
    return `GITHUB_STEP_SUMMARY: the summary cannot be appended to ${path} (${(error as Error).message})`;
  }
}

function annotations(file: Verdicts): string {
  const found = (verdict: CheckResult["verdict"]) => file.checks.filter((check) => check.verdict === verdict);
  const errors = [
    ...file.problems.map((text) => ["payments-conformance", text] as const),
    ...found("suite-error").map(described),
    ...found("fail").map(described),
  ];
  const lines = [...some("error", errors), ...some("warning", found("warn").map(described))];
  if (file.exitCode !== 0 && errors.length === 0)
    lines.push(command("error", headline(file), reasonOf(file)));
  return lines.map((line) => `${line}\n`).join("");
}

const described = (check: CheckResult) => [check.id, `The API ${check.title}: ${findingOf(check)}`] as const;

/** The last annotation that fits says how many do not. */
function some(
  kind: "error" | "warning",
  entries: readonly (readonly [title: string, text: string])[],
): string[] {
  if (entries.length <= MOST) return entries.map(([title, text]) => command(kind, title, text));
  const shown = entries.slice(0, MOST - 1).map(([title, text]) => command(kind, title, text));
  return [
    ...shown,
    command(kind, "payments-conformance", `${entries.length - shown.length} more: see report.html`),
  ];
}

/** A workflow command; its texts end where GitHub's own escapes say they end. */
function command(kind: "error" | "warning", title: string, text: string): string {
  const data = (value: string) => printable(value).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${kind} title=${property}::${data(text)}`;
}
