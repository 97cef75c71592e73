import { contract } from "../../schemas/contract.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import type { OperationSummary, Summary } from "../k6/summary.ts";
import type { Entry } from "../reconcile/journal.ts";

/** The share of requests without a usable response above which a run proves too little. */
const MAX_TECHNICAL_FAILURES = 0.05;

/** Whether k6's summary belongs to the run, and its log and its counters say the same; one line for each difference. */
export function disagreements(runId: string, measured: Summary, journal: readonly Entry[]): string[] {
  if (measured.runId !== runId) return [`summary.json belongs to the run ${measured.runId}`];
  return Object.entries(measured.operations)
    .filter(([name]) => contract[name as OperationName].effect === "money")
    .flatMap(([name, { outcomes, requests }]) => {
      const lines = journal.filter(({ operation }) => operation === name);
      const logged = new Map<Outcome, number>();
      for (const { outcome } of lines) logged.set(outcome, (logged.get(outcome) ?? 0) + 1);
      const isSame =
        lines.length === requests && [...logged].every(([outcome, count]) => outcomes[outcome] === count);
      if (isSame) return [];
      return [
        `answers.log and k6's counters differ for ${name}: ${describe(lines.length, Object.fromEntries(logged))} in the log, ${describe(requests, outcomes)} counted`,
      ];
    });
}

/** Why a run proves too little: k6 sent fewer requests than planned, or too many got no usable response. */
export function shortcomings(planned: number, measured: Summary, hasOwnLimit: boolean): string[] {
  const all: readonly OperationSummary[] = Object.values(measured.operations);
  const requests = all.reduce((sum, operation) => sum + operation.requests, 0);
  const failed = all
    .flatMap(({ outcomes }) => Object.entries(outcomes))
    .reduce((sum, [outcome, count]) => sum + (isTechnicalFailure(outcome as Outcome) ? count : 0), 0);
  const started = measured.iterations + measured.dropped;
  return [
    ...(started < planned ? [`k6 started only ${started} of ${planned} requests`] : []),
    ...(!hasOwnLimit && failed > requests * MAX_TECHNICAL_FAILURES
      ? [
          `${failed} of ${requests} requests got no usable response (at most ${MAX_TECHNICAL_FAILURES * 100} %, unless SLO names another limit)`,
        ]
      : []),
  ];
}

const describe = (count: number, outcomes: Readonly<Partial<Record<Outcome, number>>>) =>
  [`${count}`, ...Object.entries(outcomes).map(([outcome, number]) => `${number} ${outcome}`)].join(", ");
