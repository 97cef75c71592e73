import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestCase, TestModule, TestSuite } from "vitest/node";
import { parseTarget } from "../../../fixtures/engine/config/target.ts";
import { preflight } from "../../../fixtures/engine/run/preflight.ts";
import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import type { LogEntry } from "../../../fixtures/sandbox/service/log.ts";
import { startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import type { RunEvent } from "../../../reports/events/events.ts";
import type { CheckResult, Observation } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Listed } from "../../runner/checklist.ts";
import { VerdictReporter } from "../../runner/vitest/reporter.ts";
import { openVitest, settingsOf } from "../../runner/vitest-run.ts";

/** A sandbox under test, and the checks to run against it. */
export interface Mutant {
  readonly fault?: Fault | undefined;
  readonly variations: readonly Variation[];
  readonly checks: readonly Listed[];
}

/** What the checks found about one mutant. */
export interface Findings {
  readonly results: readonly CheckResult[];
  readonly observations: readonly Observation[];
  /** The operation of each request that the sandbox received, by the request's id. */
  readonly requests: ReadonlyMap<string, OperationId | undefined>;
  /** Defects of the suite or of the sandbox itself, one line each. */
  readonly problems: readonly string[];
}

/** Runs checks against several mutants at the same time, in a worker of one vitest: most of a run is waiting. */
export class MutantRunner {
  readonly #seed: number;
  readonly #relay = new Relay();
  readonly #directory = mkdtempSync(join(scratch(), "payments-conformance-"));
  readonly #opened = openVitest([this.#relay]);
  #examined = 0;

  constructor(seed: number) {
    this.#seed = seed;
    // vitest ends the process on a signal; this removes the folder from memory then.
    process.once("exit", () => rmSync(this.#directory, { recursive: true, force: true }));
  }

  /** Runs the checks of each mutant; a problem of the worker counts for all of them. */
  async examine(mutants: readonly Mutant[]): Promise<Findings[]> {
    const examinations = await Promise.all(mutants.map((mutant) => this.#prepare(mutant)));
    const runs = examinations.flatMap(({ settings }) => settings ?? []);
    this.#relay.reporters = new Map(examinations.map(({ runId, reporter }) => [runId, reporter]));
    const files = mutants.flatMap(({ checks }) => checks.map(({ file }) => file));
    try {
      if (runs.length > 0) await (await this.#opened).run(runs, files);
    } finally {
      await Promise.all(examinations.map(({ end }) => end()));
    }
    return examinations.map(({ findings }) => findings());
  }

  async #prepare({ fault, variations, checks }: Mutant) {
    this.#examined += 1;
    const runId = this.#examined.toString(16).padStart(8, "0");
    const directory = join(this.#directory, runId);
    const sandbox = await startSandbox({ seed: this.#seed, fault, variations });
    const target = parseTarget({ variables: sandbox.env, embedded: true });
    const events: RunEvent[] = [];
    const found = await preflight(target, runId).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      const text = `the preflight ended the run: ${error.message}`;
      events.push({ type: "problem", kind: "refused", text });
    });
    const run = {
      runId,
      directory,
      keepsExchanges: false,
      seed: this.#seed,
      checks,
      hardened: false,
      target,
    };
    const settings = found && settingsOf({ ...run, found });
    const reporter = new VerdictReporter({
      plan: settings?.checks ?? [],
      append: (event) => events.push(event),
    });
    const end = async () => {
      reporter.finish();
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    };
    return { runId, settings, reporter, end, findings: () => findingsOf(events, sandbox.log) };
  }

  async close() {
    await (await this.#opened).vitest.close();
    await rm(this.#directory, { recursive: true, force: true });
    // vitest counts every red check as a failure of this process.
    process.exitCode = undefined;
  }
}

function findingsOf(events: readonly RunEvent[], log: readonly LogEntry[]): Findings {
  const errors = log.flatMap(({ error, path }) =>
    error ? [`the sandbox broke on ${path}: ${error.split("\n")[0]}`] : [],
  );
  return {
    results: events.flatMap((event) => (event.type === "check" ? [event.result] : [])),
    observations: events.flatMap((event) => (event.type === "observation" ? [event.observation] : [])),
    requests: new Map(log.map(({ requestId, operation }) => [requestId, operation])),
    problems: [...events.flatMap((event) => (event.type === "problem" ? [event.text] : [])), ...errors],
  };
}

/** Writing evidence and ledgers to a disk would take longer than all checks, and no one reads them. */
const scratch = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** vitest keeps its reporters for its lifetime; this one passes events on to the reporter of each run. */
class Relay {
  /** By the ids of their runs. */
  reporters: ReadonlyMap<string, VerdictReporter> = new Map();

  onTestCaseResult(test: TestCase) {
    this.reporters.get(test.meta().runId ?? "")?.onTestCaseResult(test);
  }

  onTestSuiteResult(suite: TestSuite) {
    for (const reporter of this.reporters.values()) reporter.onTestSuiteResult(suite);
  }

  onTestModuleEnd(module: TestModule) {
    for (const reporter of this.reporters.values()) reporter.onTestModuleEnd(module);
  }

  onTestRunEnd(...args: Parameters<VerdictReporter["onTestRunEnd"]>) {
    for (const reporter of this.reporters.values()) reporter.onTestRunEnd(...args);
  }
}
