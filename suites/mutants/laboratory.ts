import { existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestSpecification, Vitest } from "vitest/node";
import { preflight } from "../../fixtures/preflight.ts";
import type { Fault, Variation } from "../../fixtures/sandbox/points.ts";
import { startSandbox } from "../../fixtures/sandbox/server.ts";
import { parseTarget } from "../../fixtures/target.ts";
import type { RunEvent } from "../../reports/event.ts";
import { VerdictReporter } from "../../reports/reporter.ts";
import type { CheckResult, Observation } from "../../reports/verdict.ts";
import type { Listed } from "../checklist.ts";
import { settingsOf } from "../settings.ts";
import { openVitest, patternOf, SUITES } from "../vitest-run.ts";

/** A sandbox to be judged, and by which checks. */
export interface Specimen {
  readonly fault?: Fault | undefined;
  readonly variations: readonly Variation[];
  readonly checks: readonly Listed[];
}

/** What the checks found out about one specimen. */
export interface Findings {
  readonly results: readonly CheckResult[];
  readonly observations: readonly Observation[];
  /** What broke in the suite or in the sandbox itself, one line each. */
  readonly problems: readonly string[];
  readonly durationMs: number;
}

/** Runs checks against one sandbox after the other, each time in a fresh worker of one vitest. */
export class Laboratory {
  readonly #vitest: Vitest;
  readonly #relay: Relay;
  readonly #seed: number;
  readonly #directory: string;
  readonly #files: ReadonlyMap<string, TestSpecification>;
  #examined = 0;

  private constructor(fields: {
    vitest: Vitest;
    relay: Relay;
    seed: number;
    directory: string;
    files: ReadonlyMap<string, TestSpecification>;
  }) {
    this.#vitest = fields.vitest;
    this.#relay = fields.relay;
    this.#seed = fields.seed;
    this.#directory = fields.directory;
    this.#files = fields.files;
  }

  static async open(seed: number): Promise<Laboratory> {
    const relay = new Relay();
    const vitest = await openVitest([relay]);
    await vitest.standalone();
    const specifications = await vitest.globTestSpecifications();
    const files = new Map(specifications.map((file) => [file.moduleId.slice(SUITES.length), file]));
    const directory = await mkdtemp(join(scratch(), "payments-conformance-"));
    // An interrupted command leaves nothing in memory: vitest ends the process on a signal, and this runs then.
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    return new Laboratory({ vitest, relay, seed, directory, files });
  }

  async examine({ fault, variations, checks }: Specimen): Promise<Findings> {
    const start = performance.now();
    this.#examined += 1;
    const runId = this.#examined.toString(16).padStart(8, "0");
    const directory = join(this.#directory, runId);
    const sandbox = await startSandbox({ seed: this.#seed, variations, ...(fault && { fault }) });
    const events: RunEvent[] = [];
    try {
      const target = parseTarget({ variables: sandbox.env, embedded: true });
      const found = await preflight(target, runId);
      const plan = checks.map(({ id }) => id);
      const reporter = new VerdictReporter({ plan, append: (event) => events.push(event) });
      this.#relay.follow(reporter);
      const settings = settingsOf({
        runId,
        directory,
        seed: this.#seed,
        hardened: false,
        allure: false,
        target,
        found,
      });
      this.#vitest.provide("run", settings);
      this.#vitest.setGlobalTestNamePattern(patternOf(plan));
      await this.#vitest.runTestSpecifications(this.#specifications(checks), true);
      reporter.finish();
    } finally {
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    }
    const errors = sandbox.log.flatMap(({ error, path }) =>
      error ? [`the sandbox tripped over ${path}: ${error.split("\n")[0]}`] : [],
    );
    return {
      results: events.flatMap((event) => (event.type === "check" ? [event.result] : [])),
      observations: events.flatMap((event) => (event.type === "observation" ? [event.observation] : [])),
      problems: [...events.flatMap((event) => (event.type === "problem" ? [event.text] : [])), ...errors],
      durationMs: Math.round(performance.now() - start),
    };
  }

  async close() {
    await this.#vitest.close();
    await rm(this.#directory, { recursive: true, force: true });
    // vitest takes every red check for a failure of this process.
    process.exitCode = undefined;
  }

  #specifications(checks: readonly Listed[]): TestSpecification[] {
    return [...new Set(checks.map(({ file }) => file))].map((file) => {
      const specification = this.#files.get(file);
      if (!specification)
        throw new Error(`checks.txt names suites/${file}, which is not there: npm run generate`);
      return specification;
    });
  }
}

/** Evidence and ledger are written with care, which on a disk costs more than all checks; nobody reads these. */
const scratch = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

type Reported = Pick<
  VerdictReporter,
  "onTestCaseResult" | "onTestSuiteResult" | "onTestModuleEnd" | "onTestRunEnd"
>;

/** Vitest keeps its reporters for life; each run has one of its own behind this. */
class Relay implements Reported {
  #current: Reported | undefined;

  follow(reporter: Reported) {
    this.#current = reporter;
  }

  onTestCaseResult(...args: Parameters<Reported["onTestCaseResult"]>) {
    this.#current?.onTestCaseResult(...args);
  }

  onTestSuiteResult(...args: Parameters<Reported["onTestSuiteResult"]>) {
    this.#current?.onTestSuiteResult(...args);
  }

  onTestModuleEnd(...args: Parameters<Reported["onTestModuleEnd"]>) {
    this.#current?.onTestModuleEnd(...args);
  }

  onTestRunEnd(...args: Parameters<Reported["onTestRunEnd"]>) {
    this.#current?.onTestRunEnd(...args);
  }
}
