import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { operations } from "../schemas/contract.ts";
import type { RunEvent, RunStarted } from "./events/event.ts";
import { CommandError } from "./text/command.ts";
import { groupBy } from "./text/grouping.ts";
import { decide, harden, type Problem } from "./verdicts/outcome.ts";
import {
  type CheckResult,
  type Money,
  VERDICTS_FILE,
  type Verdict,
  type Verdicts,
  type VerdictsFile,
} from "./verdicts/verdict.ts";
import { applyWaivers } from "./verdicts/waivers.ts";

const NOTHING_MOVED: Money = {
  planned: { count: 0, total: 0 },
  kept: { count: 0, total: 0 },
  released: { count: 0, total: 0 },
  limit: { count: null, total: null },
};

/**
 * Builds the verdicts of a run from its events: the same events always give the same file. A run without an end was
 * killed, which is an error unless the operator had asked it to stop. Throws {@link CommandError} (2) without a start.
 */
export function buildVerdicts(events: readonly RunEvent[]): Verdicts {
  const run = events.find((event) => event.type === "run");
  if (!run)
    throw new CommandError(2, ["the events have no start of a run: the command stopped before its checks"]);
  const end = events.findLast((event) => event.type === "end");
  const { checks, problems } = judge(events, run);
  const interrupted = isInterrupted(events);
  const { environment } = run.target;

  return {
    schema: "payments-conformance/verdicts@1",
    suite: run.suite,
    target: run.target,
    startedAt: run.startedAt,
    finishedAt: end?.finishedAt ?? run.startedAt,
    seed: run.seed,
    command: run.commandLine,
    strict: run.strict,
    hardened: run.hardened,
    selected: run.selected,
    outOfScope: run.outOfScope,
    ...decide({ ...run, checks, problems, interrupted, environment }),
    problems: problems.map(({ text }) => text),
    checks,
    observations: unique(events.flatMap((event) => (event.type === "observation" ? event.observation : []))),
    created: events.flatMap((event) => (event.type === "created" ? event.created : [])),
    money: events.findLast((event) => event.type === "money")?.money ?? NOTHING_MOVED,
    counts: count(checks),
    digests: {},
  };
}

/** The checks with their waivers applied, and everything else that went wrong. */
function judge(events: readonly RunEvent[], run: RunStarted): { checks: CheckResult[]; problems: Problem[] } {
  const byId = groupBy(
    events.flatMap((event) => (event.type === "check" ? event.result : [])),
    ({ id }) => id,
  );
  const last = [...byId.values()].flatMap((some) => some.slice(-1));
  const waived = waive(last, run);
  const ended = isInterrupted(events) || events.some(({ type }) => type === "end");
  return {
    checks: waived.checks.toSorted(byOperation),
    problems: [
      ...events.flatMap((event) => (event.type === "problem" ? { kind: event.kind, text: event.text } : [])),
      ...[...byId].flatMap(([id, some]) => (some.length > 1 ? suiteProblem(`${id} was reported twice`) : [])),
      ...(ended ? [] : [suiteProblem("the run was killed before its last check")]),
      ...waived.problems.map((text): Problem => ({ kind: "waiver", text })),
    ],
  };
}

const isInterrupted = (events: readonly RunEvent[]): boolean =>
  events.some(({ type }) => type === "interrupted");

/** Writes `verdicts.json` by rename, with the digests of all other files in the folder. */
export async function writeVerdicts<F extends VerdictsFile>(directory: string, file: F): Promise<F> {
  await mkdir(directory, { recursive: true });
  const complete = { ...file, digests: await digests(directory) };
  const target = join(directory, VERDICTS_FILE);
  const draft = `${target}.${process.pid}.draft`;
  const handle = await open(draft, "w");
  try {
    await handle.writeFile(`${JSON.stringify(complete, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, target);
  return complete;
}

async function digests(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(VERDICTS_FILE))
    .toSorted();
  const found: Record<string, string> = {};
  for (const path of paths) {
    const content = await readFile(join(directory, path));
    found[path.split(sep).join("/")] = createHash("sha256").update(content).digest("hex");
  }
  return found;
}

function waive(checks: readonly CheckResult[], run: RunStarted) {
  const judged = run.hardened ? harden(checks) : checks;
  return applyWaivers(judged, run.waivers, run.startedAt.slice(0, 10), new Set(run.registered));
}

function count(checks: readonly CheckResult[]): Partial<Record<Verdict, number>> {
  const groups = groupBy(checks, (check) => check.verdict);
  return Object.fromEntries([...groups].map(([verdict, some]) => [verdict, some.length]));
}

function suiteProblem(text: string): Problem {
  return { kind: "suite", text };
}

function byOperation(one: CheckResult, other: CheckResult): number {
  const place = (check: CheckResult) => operations.findIndex((operation) => operation.id === check.operation);
  return place(one) - place(other) || (one.id < other.id ? -1 : 1);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
