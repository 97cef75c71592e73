import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTarget } from "../../../fixtures/engine/config/target.ts";
import { preflight } from "../../../fixtures/engine/run/preflight.ts";
import type { Change } from "../../../fixtures/sandbox/points/points.ts";
import type { LogEntry } from "../../../fixtures/sandbox/service/pipeline.ts";
import { startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import type { RunEvent } from "../../../reports/events/events.ts";
import type { CheckResult, Observation } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Listed } from "../../runner/checklist.ts";
import { settingsOf } from "../../runner/run-checks.ts";
import { runInThread } from "./thread.ts";

/** A sandbox under test, and the checks to run against it. */
export interface Mutant {
  readonly changes: readonly Change[];
  readonly isConformant: boolean;
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

/** Runs the checks of several mutants at the same time, in one thread; a problem of the thread counts for all of them. */
export async function examine(mutants: readonly Mutant[], seed: number): Promise<Findings[]> {
  const directory = mkdtempSync(join(scratch(), "payments-conformance-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  const examinations = await Promise.all(
    mutants.map((mutant, index) => prepare(mutant, seed, index.toString(16).padStart(8, "0"), directory)),
  );
  const runs = examinations.flatMap(({ settings }) => settings ?? []);
  const events = new Map(examinations.map(({ runId, events }) => [runId, events]));
  try {
    if (runs.length > 0) await runInThread(runs, (runId, event) => events.get(runId)?.push(event));
  } finally {
    await Promise.all(examinations.map(({ sandbox }) => sandbox.close()));
    process.off("exit", remove);
    remove();
  }
  return examinations.map(({ events, sandbox }) => findingsOf(events, sandbox.log));
}

async function prepare(
  { changes, isConformant, checks }: Mutant,
  seed: number,
  runId: string,
  folder: string,
) {
  const sandbox = await startSandbox({ seed, changes });
  // A conformant sandbox responds to every request: if it takes long, the machine is busy.
  const patience = isConformant ? { REQUEST_TIMEOUT_MS: "30000" } : {};
  const target = parseTarget({ variables: { ...sandbox.env, ...patience }, embedded: true });
  const events: RunEvent[] = [];
  const found = await preflight(target, runId).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    const text = `the preflight ended the run: ${error.message}`;
    events.push({ type: "problem", kind: "refused", text });
  });
  const run = { runId, directory: join(folder, runId), keepsExchanges: false, seed, checks };
  return { runId, settings: found && settingsOf({ ...run, target, found }), events, sandbox };
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
