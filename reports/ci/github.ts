import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Environment } from "../command-line/command.ts";
import { findingOf } from "../verdicts/findings.ts";
import { headline, reasonOf } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { printable } from "../wording.ts";

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
  return withAnnotations(text, annotationsOf(file), env, token);
}

/** What the page of a GitHub job shows beside its log. */
interface Annotation {
  readonly kind: "error" | "warning";
  readonly title: string;
  readonly text: string;
}

/** Prepares a printed result for the log of a GitHub job, with these annotations; elsewhere it returns `text` as it is. */
export function withAnnotations(
  text: string,
  annotations: readonly Annotation[],
  env: Environment = process.env,
  token: string = randomUUID(),
): string {
  if (env.GITHUB_ACTIONS !== "true") return text;
  const inert = text && `::stop-commands::${token}\n${text}::${token}::\n`;
  const shown = (["error", "warning"] as const).flatMap((kind) =>
    some(annotations.filter((one) => one.kind === kind)),
  );
  return [inert, ...shown.map((one) => `${command(one)}\n`)].join("");
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

function annotationsOf(file: Verdicts): Annotation[] {
  const found = (verdict: CheckResult["verdict"], kind: Annotation["kind"]) =>
    file.checks
      .filter((check) => check.verdict === verdict)
      .map((check) => ({ kind, title: check.id, text: findingOf(check) }));
  const errors: Annotation[] = [
    ...file.problems.map((text) => ({ kind: "error", title: SUITE, text }) as const),
    ...found("suite-error", "error"),
    ...found("fail", "error"),
  ];
  if (file.exitCode !== 0 && errors.length === 0)
    errors.push({ kind: "error", title: headline(file), text: reasonOf(file) });
  return [...errors, ...found("warn", "warning")];
}

const SUITE = "payments-conformance";

/** The last annotation that fits says how many do not. */
function some(annotations: readonly Annotation[]): readonly Annotation[] {
  const [first] = annotations;
  if (!first || annotations.length <= MOST) return annotations;
  const shown = annotations.slice(0, MOST - 1);
  const rest = annotations.length - shown.length;
  return [...shown, { kind: first.kind, title: SUITE, text: `${rest} more: see report.html` }];
}

/** A workflow command; its texts end where GitHub's own escapes say they end. */
function command({ kind, title, text }: Annotation): string {
  const data = (value: string) => printable(value).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${kind} title=${property}::${data(text)}`;
}
