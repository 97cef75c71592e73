import { Status } from "allure-js-commons";
import type { VerdictsFile } from "../verdicts/verdict.ts";

/**
 * The Allure view of a run, for `reporters` of `createVitest`; results go to `directory` when the run ends.
 * It needs `await vitest.standalone()` before `runTestSpecifications`, takes the place of `test.runner` and
 * adds a setup file, so that `allure-vitest` must resolve from vitest's root. It carries labels,
 * descriptions and attachments that a check gives in the worker, and drops skip notes, tags and `task.meta`:
 * a verdict becomes visible only as a label or description. Everything given to it must be redacted.
 * An instance (`new AllureVitestReporter(options)`) works as well, and without `standalone()` both crash.
 */
export function allureReporter(
  directory: string,
  target: VerdictsFile["target"],
): [module: string, options: Record<string, unknown>] {
  return [
    "allure-vitest/reporter",
    {
      resultsDir: directory,
      // Matcher steps would print compared values, secrets included, past our redaction.
      reportMatchers: false,
      environmentInfo: {
        Target: target.embedded ? "embedded sandbox" : (target.name ?? target.baseUrl),
        ...(target.version ? { Version: target.version } : {}),
        Environment: target.environment,
      },
      // A category sees status and message only; a Violation counts as failed by its actual and expected.
      categories: [
        { name: "The contract is violated", matchedStatuses: [Status.FAILED] },
        { name: "The suite itself broke", matchedStatuses: [Status.BROKEN] },
        { name: "Not tested, or inconclusive", matchedStatuses: [Status.SKIPPED] },
      ],
    },
  ];
}
