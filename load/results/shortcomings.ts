import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import type { LoadRun } from "./result.ts";
import type { Summary } from "./summary.ts";

/** The share of requests without a usable response above which a run proves too little. */
const MAX_TECHNICAL_FAILURES = 0.05;

/** Why a run proves too little: k6 sent fewer requests than planned, or too many got no usable response. */
export function shortcomings(
  { iterations: planned, objectives }: Pick<LoadRun, "iterations" | "objectives">,
  { operations, iterations, dropped }: Summary,
): string[] {
  const all = Object.values(operations);
  const requests = all.reduce((sum, operation) => sum + operation.requests, 0);
  const failed = all
    .flatMap(({ outcomes }) => Object.entries(outcomes))
    .reduce((sum, [outcome, count]) => sum + (isTechnicalFailure(outcome as Outcome) ? count : 0), 0);
  const hasOwnLimit = objectives?.technicalFailures !== undefined;
  const accounted = iterations + dropped;
  return [
    ...(accounted < planned ? [`k6 started only ${iterations} of ${planned} requests`] : []),
    ...(!hasOwnLimit && failed > requests * MAX_TECHNICAL_FAILURES
      ? [
          `${failed} of ${requests} requests got no usable response (at most ${MAX_TECHNICAL_FAILURES * 100} %, unless SLO names another limit)`,
        ]
      : []),
  ];
}
