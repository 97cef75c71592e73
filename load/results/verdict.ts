import type { Summary } from "../k6/summary.ts";
import { type Invariant, invariant } from "../reconcile/invariants.ts";
import { type Decision, decide } from "./decision.ts";
import type { Validity } from "./result.ts";

/** Iterations that start later than this, or a generator busier than this, say nothing about the target. */
const MOST_LAG_MS = 20;
const MOST_CPU = 0.85;
/** Iterations that an honest run may drop for want of a free user. */
const MOST_DROPPED = 0.001;

/** What a finished run is judged by. */
export interface Judged {
  readonly measured: Summary | undefined;
  readonly cpuShare: number | undefined;
  readonly hasObjectives: boolean;
  readonly invariants: readonly Invariant[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
}

/** Tells whether the open model held: only then is latency the target's own. */
export function validityOf(measured: Summary | undefined, cpuShare: number | undefined): Validity {
  const lag = measured?.scheduleLagP99Ms;
  if (!measured || lag === undefined) return "valid";
  if (lag > MOST_LAG_MS || (cpuShare ?? 0) > MOST_CPU) return "generator-limited";
  const scheduled = measured.iterations + measured.dropped;
  return measured.dropped > scheduled * MOST_DROPPED ? "target-limited" : "valid";
}

/** Every answer of every operation has its documented shape, however loaded the target is. */
export function shapes(measured: Summary): Invariant {
  const all = Object.values(measured.operations);
  const answers = all.reduce((sum, { requests }) => sum + requests, 0);
  const malformed = all.reduce((sum, { outcomes }) => sum + (outcomes.malformed ?? 0), 0);
  return malformed > 0
    ? invariant("L9", "broken", `${malformed} of ${answers} answers do not`)
    : invariant("L9", "held", `all of ${answers} answers`);
}

/** Decides what a finished run is worth. */
export function verdictOf(run: Judged): Decision {
  const validity = validityOf(run.measured, run.cpuShare);
  const named = (state: Invariant["state"]) =>
    run.invariants
      .filter((one) => one.state === state)
      .map(({ id, title, text }) => `${id}, ${title}: ${text}`);
  return decide({
    errors: [...run.problems, ...exceptions(run.measured)],
    interrupted: run.interrupted,
    brokenInvariants: named("broken"),
    undecided: [...named("undecided"), ...(validity === "generator-limited" ? [limited(run)] : [])],
    brokenThresholds: [
      ...brokenThresholds(run.measured),
      ...(validity === "target-limited" && run.hasObjectives
        ? [`${run.measured?.dropped} iterations were dropped because the target was too slow`]
        : []),
    ],
  });
}

function exceptions(measured: Summary | undefined): string[] {
  return measured && measured.exceptions > 0
    ? [`${measured.exceptions} iterations of the load script failed; k6.log says why`]
    : [];
}

const limited = ({ measured, cpuShare }: Judged) =>
  `the generator was too slow (schedule lag p99 ${Math.round(measured?.scheduleLagP99Ms ?? 0)} ms, processors ${Math.round((cpuShare ?? 0) * 100)} % busy): lower RATE or take a larger machine`;

/** Thresholds that k6 found broken, but for those that are judged elsewhere: shapes (L9) and our own exceptions. */
function brokenThresholds(measured: Summary | undefined): string[] {
  return (measured?.thresholds ?? [])
    .filter(({ metric, ok }) => !ok && metric !== "checks" && metric !== "exceptions")
    .map(({ metric, rule }) => inWords(metric, rule));
}

function inWords(metric: string, rule: string): string {
  const [, kind, name, outcome] = /^(\w+)\{name:(\w+)(?:,outcome:(.+))?\}$/.exec(metric) ?? [];
  if (kind === "http_reqs") return `${name} was never sent`;
  if (kind === "outcomes") return `no ${name} was ${outcome}`;
  return kind === "latency" ? `latency of ${name} is not ${rule} ms` : `${metric} is not ${rule}`;
}
