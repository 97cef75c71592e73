import type { Money } from "../../reports/verdicts/verdict.ts";
import type { Summary } from "../k6/summary.ts";
import { type Invariant, invariant } from "../reconcile/invariants.ts";
import { type Decision, decide } from "./decision.ts";
import type { LoadResult, LoadRun, Validity } from "./result.ts";
import { brokenThresholds } from "./thresholds.ts";

/** With a longer schedule lag or a busier CPU, the latencies are the generator's, not the target's. */
const MAX_LAG_MS = 20;
const MAX_CPU = 0.85;
/** The share of iterations that a valid run may drop because no virtual user was free. */
const MAX_DROPPED = 0.001;

/** What a finished run is judged by. */
export interface Judged {
  readonly measured: Summary | undefined;
  readonly cpuShare: number | undefined;
  readonly hasObjectives: boolean;
  readonly invariants: readonly Invariant[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
}

/** Says whether the latencies are the target's own: in the open model, only if iterations started on time. */
export function validityOf(measured: Summary | undefined, cpuShare = 0): Validity {
  const lag = measured?.scheduleLagP99Ms;
  if (!measured || lag === undefined) return "valid";
  if (lag > MAX_LAG_MS || cpuShare > MAX_CPU) return "generator-limited";
  const scheduled = measured.iterations + measured.dropped;
  return measured.dropped > scheduled * MAX_DROPPED ? "target-limited" : "valid";
}

/** Judges L9 by the outcomes that k6 counted. */
export function documentedShapes({ operations }: Summary): Invariant {
  const all = Object.values(operations);
  const requests = all.reduce((sum, operation) => sum + operation.requests, 0);
  const malformed = all.reduce((sum, { outcomes }) => sum + (outcomes.malformed ?? 0), 0);
  const text = `${malformed} of ${requests} requests got a malformed response`;
  return invariant("L9", malformed > 0 ? "broken" : "held", text);
}

/** Decides the verdict of a finished run. */
export function verdictOf({ measured, cpuShare, invariants, ...run }: Judged): Decision {
  const validity = validityOf(measured, cpuShare);
  const inState = (state: Invariant["state"]) =>
    invariants.filter((one) => one.state === state).map(({ id, title, text }) => `${id} (${title}): ${text}`);
  return decide({
    errors: [...run.problems, ...(measured ? scriptErrors(measured) : [])],
    interrupted: run.interrupted,
    brokenInvariants: inState("broken"),
    undecided: [
      ...inState("undecided"),
      ...(validity === "generator-limited" ? [generatorTooSlow(measured, cpuShare)] : []),
    ],
    brokenThresholds: [
      ...(measured ? brokenThresholds(measured) : []),
      ...(validity === "target-limited" && run.hasObjectives
        ? [`the target was so slow that k6 dropped ${measured?.dropped} iterations`]
        : []),
    ],
  });
}

/** Judges a finished run and returns the content of `result.json`. */
export function resultOf(
  run: LoadRun,
  found: Omit<Judged, "hasObjectives">,
  reconciled: number,
  money: Money,
): LoadResult {
  const { measured, cpuShare, invariants, problems } = found;
  return {
    ...run,
    schema: "payments-conformance/load@1",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    generator: cpuShare === undefined ? {} : { cpuShare },
    validity: validityOf(measured, cpuShare),
    reconciled,
    invariants,
    money,
    problems,
    ...verdictOf({ ...found, hasObjectives: run.objectives !== undefined }),
  };
}

const scriptErrors = ({ exceptions }: Summary): string[] =>
  exceptions > 0 ? [`the load script failed in ${exceptions} iterations; k6.log has the errors`] : [];

function generatorTooSlow(measured: Summary | undefined, cpuShare = 0): string {
  const lag = Math.round(measured?.scheduleLagP99Ms ?? 0);
  const cpu = Math.round(cpuShare * 100);
  return `k6 was too slow for this rate (p99 of the schedule lag ${lag} ms, CPU ${cpu} % busy): lower RATE, or use a larger or less busy machine`;
}
