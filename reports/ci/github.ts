import { appendFileSync } from "node:fs";
import type { Environment } from "../command-line/command.ts";
import { alike, findingOf, whose } from "../verdicts/findings.ts";
import { headline, reasonOf } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { hasVerdict } from "../verdicts/verdict.ts";
import { cut, printable } from "../wording.ts";

/** GitHub shows at most ten annotations of each kind for a step. */
const MOST = 10;

interface Annotation {
  readonly kind: "error" | "warning";
  readonly title: string;
  readonly text: string;
}

/** Adds annotations to a printed result in the log of a GitHub job; elsewhere it returns `text` as it is. */
export function forJobLog(
  text: string,
  annotations: readonly Annotation[],
  env: Environment = process.env,
): string {
  if (env.GITHUB_ACTIONS !== "true") return text;
  const shown = (["error", "warning"] as const).flatMap((kind) => {
    const commands = annotations.filter((one) => one.kind === kind).map(command);
    // The last annotation that fits says how many do not.
    const more = (count: number) => command({ kind, title: SUITE, text: `${count} more: see report.html` });
    return commands.length > MOST ? cut(commands, MOST - 1, more) : commands;
  });
  return [text, ...shown.map((one) => `${one}\n`)].join("");
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

/** An annotation for each problem and failure of a run, and one for each warning, which many checks may share. */
export function annotationsOf(file: Verdicts): Annotation[] {
  const { problems, checks, exitCode } = file;
  const kind = "error";
  const broken = [...checks.filter(hasVerdict("suite-error")), ...checks.filter(hasVerdict("fail"))];
  const errors: Annotation[] = [
    ...problems.map((text) => ({ kind, title: SUITE, text }) as const),
    ...broken.map((check) => ({ kind, title: check.id, text: findingOf(check) }) as const),
  ];
  if (exitCode !== 0 && errors.length === 0)
    errors.push({ kind, title: headline(file), text: reasonOf(file) });
  const warnings = alike(checks.filter(hasVerdict("warn"))).map((group): Annotation => {
    const [text = ""] = group.map(findingOf);
    return { kind: "warning", title: whose(group), text };
  });
  return [...errors, ...warnings];
}

const SUITE = "payments-conformance";

/** A workflow command; its texts end where GitHub's own escapes say they end. */
function command({ kind, title, text }: Annotation): string {
  const data = (value: string) => printable(value).replaceAll("%", "%25");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${kind} title=${property}::${data(text)}`;
}
