import { createHash } from "node:crypto";
import type { Stage, Status, TestResult } from "allure-js-commons";
import { escapeMarkdown } from "../text/wording.ts";
import { openReason, topicOf } from "../verdicts/open.ts";
import { rulesOf } from "../verdicts/rules.ts";
import type { CheckResult, Verdict } from "../verdicts/verdict.ts";

/** One result as Allure reads it. Its readers also know the status `unknown`, which its writers never need. */
export type AllureResult = Omit<TestResult, "status" | "stage"> & {
  readonly status: `${Status}` | "unknown";
  readonly stage: `${Stage}`;
};

/** Allure has five statuses; a verdict without one of its own is named before the title and in the message. */
const VERDICTS: Readonly<
  Record<Verdict, { readonly status: AllureResult["status"]; readonly word?: string }>
> = {
  pass: { status: "passed" },
  observed: { status: "passed" },
  "pass-weak": { status: "passed", word: "Passed without proof" },
  warn: { status: "passed", word: "Warned" },
  fail: { status: "failed" },
  waived: { status: "skipped", word: "Waived" },
  inconclusive: { status: "unknown", word: "Inconclusive" },
  "not-tested": { status: "skipped", word: "Not tested" },
  "suite-error": { status: "broken" },
};

/** The groups of Allure's categories: by status, and by the word with which a message begins. */
export const CATEGORIES = [
  { name: "The API violates the contract", matchedStatuses: ["failed"] },
  { name: "The suite itself broke", matchedStatuses: ["broken"] },
  ...Object.values(VERDICTS).flatMap(({ status, word }) =>
    word === undefined ? [] : [{ name: word, matchedStatuses: [status], messageRegex: `(?s)${word}: .*` }],
  ),
];

/** Turns a check into a result of Allure, without its attachments; `startedAt` is the start of the run. */
export function allureResult(
  check: CheckResult,
  startedAt: string,
): Omit<AllureResult, "uuid" | "attachments"> {
  const { id, title, operation, verdict, level, requirements, durationMs } = check;
  const { status, word } = VERDICTS[verdict];
  const topic = topicOf(check);
  const hash = createHash("md5").update(id).digest("hex");
  const start = Date.parse(startedAt);
  const message = messageOf(check, word);
  const label = (name: string, value: string) => ({ name, value });
  return {
    name: word ? `[${word.toLowerCase()}] ${title}` : title,
    fullName: id,
    historyId: hash,
    testCaseId: hash,
    status,
    stage: "finished",
    statusDetails: message === undefined ? {} : { message },
    description: allureDescription(check),
    titlePath: [operation, topic],
    labels: [
      label("parentSuite", operation),
      label("suite", topic),
      label("feature", operation),
      label("story", topic),
      label("package", `${operation}.${topic}`),
      label("severity", severityOf(check)),
      label("verdict", verdict),
      ...[level, verdict, ...requirements].map((value) => label("tag", value)),
    ],
    links: [],
    parameters: [],
    steps: [],
    // When a check started is not recorded, only how long it took.
    start,
    stop: start + durationMs,
  };
}

function messageOf(check: CheckResult, word: string | undefined): string | undefined {
  const { verdict, message } = check;
  if (verdict === "pass" || verdict === "observed") return message;
  const why = message ?? openReason(check);
  return word ? `${word}: ${why}` : why;
}

function severityOf({ level, critical }: CheckResult): string {
  if (level === "MUST") return "critical";
  if (level === "OBSERVE") return "trivial";
  return critical ? "normal" : "minor";
}

/** Describes a result in Markdown: what the check demands, what it found, and the rules behind it. */
export function allureDescription(check: CheckResult): string {
  const rules = rulesOf(check).map((rule) => `- ${escapeMarkdown(rule)}`);
  return [
    `Checks that the API ${escapeMarkdown(check.title)}.`,
    ...(check.message ? [escapeMarkdown(check.message)] : []),
    ["Rules:", "", ...rules].join("\n"),
    `Check: ${escapeMarkdown(check.id)}`,
  ].join("\n\n");
}
