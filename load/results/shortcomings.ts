import { isTechnicalFailure, OUTCOMES } from "../k6/outcome.ts";
import { failuresIn, requestsIn } from "./outcome-counts.ts";
import type { LoadRun } from "./result.ts";
import type { Summary } from "./summary.ts";

/** The share of requests without a usable response above which a run proves too little. */
export const MAX_TECHNICAL_FAILURES = 0.05;

/** Why a run proves too little: k6 sent fewer requests than planned, or too many got no usable response. */
export function shortcomings(
  { iterations: planned, objectives }: Pick<LoadRun, "iterations" | "objectives">,
  measured: Summary,
): string[] {
  const { iterations, dropped } = measured;
  const requests = requestsIn(measured);
  const failed = requestsIn(measured, isTechnicalFailure);
  const hasOwnLimit = objectives?.technicalFailures !== undefined;
  const accounted = iterations + dropped;
  return [
    ...(accounted < planned ? [`k6 started only ${iterations} of ${planned} requests`] : []),
    ...(!hasOwnLimit && failed > requests * MAX_TECHNICAL_FAILURES
      ? [
          `${failed} of ${requests} requests got no usable response (${failuresOf(measured)}): at most ${MAX_TECHNICAL_FAILURES * 100} % is allowed, unless SLO names another limit`,
        ]
      : []),
  ];
}

/** The failures of all operations together, by outcome. */
function failuresOf(measured: Summary): string {
  const counts = OUTCOMES.map(
    (outcome) => [outcome, requestsIn(measured, (one) => one === outcome)] as const,
  );
  return failuresIn(Object.fromEntries(counts));
}
