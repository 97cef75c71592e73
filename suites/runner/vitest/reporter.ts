import type { SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import type { RunEvent } from "../../../reports/events/events.ts";
import type { CheckInfo, CheckResult } from "../../../reports/verdicts/verdict.ts";
import { shorten } from "../../../reports/wording.ts";

export interface ReporterOptions {
  /** The ids of the checks that must produce a result in this run. */
  readonly plan: readonly string[];
  readonly append: (event: RunEvent) => void;
  readonly onProgress?: (done: number, total: number, id: string) => void;
  /** Removes secrets from the messages of our own faults, which nothing else redacts. */
  readonly redact?: Redact;
}

/**
 * Turns what vitest reports into events. It does not trust vitest's own verdict and exit code: a planned check without a
 * result, a result that its test contradicts, and every stray error is a fault of the suite.
 */
export class VerdictReporter {
  readonly #plan: readonly string[];
  readonly #append: ReporterOptions["append"];
  readonly #onProgress: ReporterOptions["onProgress"];
  readonly #redact: Redact;
  readonly #seen = new Set<string>();
  #finished = false;

  constructor({ plan, append, onProgress, redact = (text) => text }: ReporterOptions) {
    this.#plan = plan;
    this.#append = append;
    this.#onProgress = onProgress;
    this.#redact = redact;
  }

  onTestCaseResult(test: TestCase): void {
    const { info, result: found, observations = [], created: records = [], isPostponed } = test.meta();
    const isOver = !isPostponed || test.result().state === "failed";
    const judge = () => (found ? contradicted(test, found, this.#redact) : this.#without(test, info));
    const result = isOver ? judge() : undefined;
    for (const observation of observations) this.#append({ type: "observation", observation });
    for (const created of records) this.#append({ type: "created", created });
    if (!result) return;
    this.#append({ type: "check", result });
    this.#seen.add(result.id);
    this.#onProgress?.(this.#seen.size, this.#plan.length, result.id);
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#collect(suite.fullName, suite.errors());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#collect(module.relativeModuleId, module.errors());
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#collect("unhandled error", unhandled);
    this.finish();
  }

  /**
   * Compares the plan with the results. The launcher calls it if vitest does not end, because a file whose import hangs
   * blocks the run.
   */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const id of this.#plan) {
      if (!this.#seen.has(id)) this.#problem(`${id}: the check produced no result`);
    }
  }

  /** Judges a test without a result: nothing if it was deselected, and otherwise a fault of ours. */
  #without(test: TestCase, info: CheckInfo | undefined): CheckResult | undefined {
    if (test.result().state === "skipped" && test.options.mode === "skip") return undefined;
    const message = `ended without a result: ${cause(test, this.#redact)}`;
    if (info) return { ...info, verdict: "suite-error", message, durationMs: 0, exchanges: [] };
    this.#problem(`${test.fullName}: ${message}`);
    return undefined;
  }

  #collect(where: string, errors: readonly SerializedError[]): void {
    for (const error of errors) this.#problem(`${where}: ${firstLine(error, this.#redact)}`);
  }

  #problem(text: string): void {
    this.#append({ type: "problem", kind: "suite", text });
  }
}

type Redact = (text: string) => string;

/** A test can break after its check reached a verdict: in a hook, in a fixture, or because it asserts nothing. */
function contradicted(test: TestCase, result: CheckResult, redact: Redact): CheckResult {
  const failed = test.result().state === "failed";
  if (!failed || result.verdict === "fail" || result.verdict === "suite-error") return result;
  const message = `reached the verdict ${result.verdict}, but then its test failed: ${cause(test, redact)}`;
  return { ...result, verdict: "suite-error", message };
}

function cause(test: TestCase, redact: Redact): string {
  const result = test.result();
  const [error] = result.errors ?? [];
  if (error) return firstLine(error, redact);
  return result.state === "skipped" ? (result.note ?? "skipped") : result.state;
}

/** A message of vitest can contain a whole diff; its first line says what happened. */
function firstLine(error: SerializedError, redact: Redact): string {
  const [line = ""] = redact(`${error.message || error.name || "unknown error"}`).split("\n");
  return shorten(line, 300);
}
