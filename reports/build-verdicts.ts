import { operations } from "../schemas/contract.ts";
import { CommandError } from "./command-line/command.ts";
import type { RunEvent } from "./events/events.ts";
import { groupBy } from "./grouping.ts";
import { decide, type Problem } from "./verdicts/outcome.ts";
import { type CheckResult, isCriticalFinding, Known, type Money } from "./verdicts/verdict.ts";
import { applyWaivers } from "./verdicts/waivers.ts";

const NONE = { count: 0, total: 0 };
const NOTHING_MOVED: Money = {
  planned: NONE,
  kept: NONE,
  released: NONE,
  limit: { count: null, total: null },
};

/**
 * Builds the verdicts of a run from its events: the same events always give the same file. A run without an end was
 * killed, which is an error unless the operator had asked it to stop. Throws {@link CommandError} (2) without a start.
 */
export function buildVerdicts(events: readonly RunEvent[]) {
  const of = <T extends RunEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
  const [run] = of("run");
  if (!run)
    throw new CommandError(2, ["the events have no start of a run: the command stopped before its checks"]);
  const end = of("end").at(-1);
  const interrupted = of("interrupted").length > 0;
  const traffic = of("traffic").at(-1)?.traffic;
  const observations = of("observation").map(({ observation }) => observation);

  const byId = groupBy(
    of("check").map(({ result }) => result),
    ({ id }) => id,
  );
  const last = [...byId.values()].flatMap((some) => some.slice(-1));
  const judged = last.map(
    (check): CheckResult => (run.letter && isCriticalFinding(check) ? { ...check, verdict: "warn" } : check),
  );
  const waived = applyWaivers(judged, run.waivers);
  const checks = waived.checks.toSorted(byOperation);
  const problems = [
    ...of("problem"),
    ...[...byId].flatMap(([id, { length }]) => (length > 1 ? suiteProblem(`${id} was reported twice`) : [])),
    ...(end || interrupted ? [] : [suiteProblem("the run was killed before its last check")]),
    ...waived.problems.map((text): Problem => ({ kind: "waiver", text })),
  ];

  return {
    /** The version of its shape. */
    schema: "payments-conformance/verdicts@1",
    ...Known.parse(run),
    finishedAt: end?.finishedAt ?? run.startedAt,
    command: run.commandLine,
    ...decide({ ...run, checks, problems, interrupted }),
    /** What went wrong in addition to the checks, one line each. */
    problems: problems.map(({ text }) => text),
    checks,
    observations: [...new Map(observations.map((one) => [JSON.stringify(one), one])).values()],
    created: of("created").map(({ created }) => created),
    money: of("money").at(-1)?.money ?? NOTHING_MOVED,
    /** Absent if the run broke before it could count. */
    ...(traffic && { traffic }),
    counts: Object.fromEntries(
      [...groupBy(checks, ({ verdict }) => verdict)].map(([verdict, { length }]) => [verdict, length]),
    ),
    /** The SHA-256 of every other file of the run, by its path below the run's folder. */
    digests: {} as Readonly<Record<string, string>>,
  };
}

const suiteProblem = (text: string): Problem => ({ kind: "suite", text });

function byOperation(one: CheckResult, other: CheckResult): number {
  const place = (check: CheckResult) => operations.findIndex((operation) => operation.id === check.operation);
  return place(one) - place(other) || (one.id < other.id ? -1 : 1);
}
