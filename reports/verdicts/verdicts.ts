import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { operations } from "../../schemas/contract.ts";
import type { RunEvent, RunStarted } from "../events/event.ts";
import { groupBy } from "../text/grouping.ts";
import { UnusableFile } from "../text/unusable-file.ts";
import { decide, harden, type Problem } from "./outcome.ts";
import type { CheckResult, Money, Verdict, VerdictsFile } from "./verdict.ts";
import { applyWaivers } from "./waivers.ts";

export const VERDICTS_FILE = "verdicts.json";

/** The file of a run together with what decided it. */
export interface Verdicts extends VerdictsFile {
  /** One sentence for people: what decided the outcome. */
  readonly because: string;
  readonly strict: boolean;
  readonly hardened: boolean;
  /** `--only` left checks out. */
  readonly selected: boolean;
}

const NOTHING_MOVED: Money = {
  planned: { count: 0, total: 0 },
  kept: { count: 0, total: 0 },
  released: { count: 0, total: 0 },
  limit: { count: null, total: null },
};

/**
 * Makes the verdicts of a run from its events: the same events always give the same file. A run without an
 * end was killed and is an error, unless it had been asked to stop. Throws {@link UnusableFile} without a start.
 */
export function buildVerdicts(events: readonly RunEvent[]): Verdicts {
  const run = events.find((event) => event.type === "run");
  if (!run) throw new UnusableFile("the events hold no start of a run: it ended before it began");
  const interrupted = events.some((event) => event.type === "interrupted");
  const end = events.findLast((event) => event.type === "end");

  const byId = groupBy(results(events), (result) => result.id);
  const waived = waive(
    [...byId.values()].flatMap((some) => some.slice(-1)),
    run,
  );
  const checks = waived.checks.toSorted(byOperation);
  const problems: Problem[] = [
    ...events.flatMap((event) => (event.type === "problem" ? [{ kind: event.kind, text: event.text }] : [])),
    ...[...byId].filter(([, some]) => some.length > 1).map(([id]) => suite(`${id} was reported twice`)),
    ...(end || interrupted ? [] : [suite("the run was killed before its last check")]),
    ...waived.problems.map((text): Problem => ({ kind: "waiver", text })),
  ];
  const { strict, hardened, selected, command } = run;
  const decision = decide({
    checks,
    problems,
    interrupted,
    command,
    strict,
    hardened,
    selected,
    environment: run.target.environment,
  });

  return {
    schema: "payments-conformance/verdicts@1",
    suite: run.suite,
    target: run.target,
    startedAt: run.startedAt,
    finishedAt: end?.finishedAt ?? run.startedAt,
    seed: run.seed,
    command: run.commandLine,
    strict,
    hardened,
    selected,
    outOfScope: run.outOfScope,
    ...decision,
    problems: problems.map((problem) => problem.text),
    checks,
    observations: unique(
      events.flatMap((event) => (event.type === "observation" ? [event.observation] : [])),
    ),
    created: events.flatMap((event) => (event.type === "created" ? [event.created] : [])),
    money: events.findLast((event) => event.type === "money")?.money ?? NOTHING_MOVED,
    counts: count(checks),
    digests: {},
  };
}

/** Writes `verdicts.json` by rename, with the digests of all other files that the folder holds by now. */
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

function results(events: readonly RunEvent[]): CheckResult[] {
  return events.flatMap((event) => (event.type === "check" ? [event.result] : []));
}

function waive(checks: readonly CheckResult[], run: RunStarted) {
  const judged = run.hardened ? harden(checks) : checks;
  return applyWaivers(judged, run.waivers, run.startedAt.slice(0, 10), new Set(run.registered));
}

function count(checks: readonly CheckResult[]): Partial<Record<Verdict, number>> {
  const groups = groupBy(checks, (check) => check.verdict);
  return Object.fromEntries([...groups].map(([verdict, some]) => [verdict, some.length]));
}

function suite(text: string): Problem {
  return { kind: "suite", text };
}

function byOperation(one: CheckResult, other: CheckResult): number {
  const place = (check: CheckResult) => operations.findIndex((operation) => operation.id === check.operation);
  return place(one) - place(other) || (one.id < other.id ? -1 : 1);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
