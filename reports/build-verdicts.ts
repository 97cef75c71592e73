import { operations } from "../schemas/contract.ts";
import { CommandError } from "./command-line/command.ts";
import type { RunEvent } from "./events/events.ts";
import { groupBy } from "./grouping.ts";
import { sinceBaseline } from "./verdicts/baseline.ts";
import { decide, type Problem } from "./verdicts/outcome.ts";
import { Known, type RunStarted, type Verdicts } from "./verdicts/run.ts";
import type { CheckResult } from "./verdicts/verdict.ts";
import { applyWaivers } from "./verdicts/waivers.ts";

const NONE = { count: 0, total: 0 };
const NOTHING_MOVED = { planned: NONE, kept: NONE, released: NONE, limit: { count: null, total: null } };

/**
 * Builds the verdicts of a run from its events: the same events always give the same file. A run without an end was
 * killed, which is an error unless the operator had asked it to stop. Throws {@link CommandError} (2) without a start.
 */
export function buildVerdicts(events: readonly RunEvent[]): Verdicts {
  const run = events.find((event) => event.type === "run");
  if (!run)
    throw new CommandError(2, ["the events have no start of a run: the command stopped before its checks"]);
  const end = events.findLast((event) => event.type === "end");
  const interrupted = events.some(({ type }) => type === "interrupted");
  const { checks, problems } = judge(events, run, interrupted || end !== undefined);
  const observations = events.flatMap((event) => (event.type === "observation" ? event.observation : []));
  const traffic = events.findLast((event) => event.type === "traffic")?.traffic;
  const baseline = run.baseline && sinceBaseline(checks, run.baseline, new Set(run.registered));

  return {
    schema: "payments-conformance/verdicts@1",
    ...Known.parse(run),
    finishedAt: end?.finishedAt ?? run.startedAt,
    command: run.commandLine,
    ...decide({ ...run, checks, problems, interrupted, baseline }),
    ...(baseline && { baseline }),
    problems: problems.map(({ text }) => text),
    checks,
    observations: [...new Map(observations.map((one) => [JSON.stringify(one), one])).values()],
    created: events.flatMap((event) => (event.type === "created" ? event.created : [])),
    money: events.findLast((event) => event.type === "money")?.money ?? NOTHING_MOVED,
    ...(traffic && { traffic }),
    counts: Object.fromEntries(
      [...groupBy(checks, ({ verdict }) => verdict)].map(([verdict, { length }]) => [verdict, length]),
    ),
    digests: {},
  };
}

/** The checks with their waivers applied, and everything else that went wrong. */
function judge(events: readonly RunEvent[], run: RunStarted, hasEnded: boolean) {
  const results = events.flatMap((event) => (event.type === "check" ? event.result : []));
  const byId = groupBy(results, ({ id }) => id);
  const last = [...byId.values()].flatMap((some) => some.slice(-1));
  // --hardened turns the warning of a critical check into a failure.
  const judged = last.map(
    (check): CheckResult =>
      run.hardened && check.critical && check.verdict === "warn" ? { ...check, verdict: "fail" } : check,
  );
  const waived = applyWaivers(judged, run.waivers, run.startedAt.slice(0, 10), new Set(run.registered));
  const repeated = [...byId].flatMap(([id, { length }]) => (length > 1 ? [`${id} was reported twice`] : []));
  const faults = [...repeated, ...(hasEnded ? [] : ["the run was killed before its last check"])];
  const problems: Problem[] = [
    ...events.flatMap((event) => (event.type === "problem" ? { kind: event.kind, text: event.text } : [])),
    ...faults.map((text) => ({ kind: "suite", text }) as const),
    ...waived.problems.map((text) => ({ kind: "waiver", text }) as const),
  ];
  return { checks: waived.checks.toSorted(byOperation), problems };
}

function byOperation(one: CheckResult, other: CheckResult): number {
  const place = (check: CheckResult) => operations.findIndex((operation) => operation.id === check.operation);
  return place(one) - place(other) || (one.id < other.id ? -1 : 1);
}
