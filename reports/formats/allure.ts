import { Status } from "allure-js-commons";
import { escapeMarkdown } from "../text/wording.ts";
import { rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";

/**
 * Returns the entry of `reporters` that writes Allure results to `directory` at the end of the run. It needs
 * `await vitest.standalone()` before `runTestSpecifications`, replaces `test.runner` and adds a setup file, so
 * `allure-vitest` must resolve from vitest's root. It keeps labels, descriptions and attachments that a check sets in
 * the worker, and drops skip notes, tags and `task.meta`: a verdict is visible only as a label or description.
 * Everything that it gets must be redacted.
 */
export function allureReporter(
  directory: string,
  target: Verdicts["target"],
): [module: string, options: Record<string, unknown>] {
  return [
    "allure-vitest/reporter",
    {
      resultsDir: directory,
      // Matcher steps would show compared values, including secrets, without our redaction.
      reportMatchers: false,
      environmentInfo: {
        Target: target.embedded ? "embedded sandbox" : (target.name ?? target.baseUrl),
        ...(target.version ? { Version: target.version } : {}),
        Environment: target.environment,
      },
      // A category matches by status and message only; a Violation counts as failed by its actual and expected.
      categories: [
        { name: "The API violates the contract", matchedStatuses: [Status.FAILED] },
        { name: "The suite itself broke", matchedStatuses: [Status.BROKEN] },
        { name: "Not tested, or inconclusive", matchedStatuses: [Status.SKIPPED] },
      ],
    },
  ];
}

/** Describes a result in Markdown: what the check demands, what it found, and the rules behind it. */
export function allureDescription(check: CheckResult): string {
  const rules = rulesOf(check).map((rule) => `- ${escapeMarkdown(rule)}`);
  return [
    `The API ${escapeMarkdown(check.title)}.`,
    ...(check.message ? [escapeMarkdown(check.message)] : []),
    ["Rules:", "", ...rules].join("\n"),
  ].join("\n\n");
}
