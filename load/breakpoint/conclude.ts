import type { Breakpoint, BreakpointStep } from "./breakpoint-result.ts";
import { causeText } from "./cause.ts";

/** What a search found. */
type Conclusion = Pick<Breakpoint, "outcome" | "exitCode" | "because" | "bounds" | "causes">;

/** The exit codes of a run that end a search. */
export const ENDING = [2, 3, 70, 130] as const;
export type EndedBy = (typeof ENDING)[number];

/**
 * Decides what the steps of a search show, by the worst finding: 70 the suite failed, 130 interrupted, 2 or 3 a run could not
 * start, 1 a broken invariant, 4 undecided, 1 no rate held, 0 found.
 */
export function conclude(steps: readonly BreakpointStep[], endedBy?: EndedBy): Conclusion {
  const tried = steps.filter(({ kind }) => kind === "hold");
  const held = highest(tried.filter(({ state }) => state === "held"));
  const broke = lowest(tried.filter(({ state }) => state === "broke"));
  const found = {
    bounds: { ...(held && { held: held.rate }), ...(broke && { broke: broke.rate }) },
    causes: broke?.causes ?? [],
  };
  const so = (outcome: Conclusion["outcome"], exitCode: Conclusion["exitCode"], because: string) => ({
    outcome,
    exitCode,
    because,
    ...found,
  });
  const defects = steps.find(({ state }) => state === "defect");
  if (endedBy === 130) return so("interrupted", 130, `the search was interrupted; ${whatHolds(held, broke)}`);
  if (endedBy === 70) return so("stopped", 70, `a run of the suite failed; ${whatHolds(held, broke)}`);
  if (defects)
    return so(
      "failed",
      1,
      `${where(defects)}, the target broke what must hold at any rate: ${defects.defects.join("; ")}`,
    );
  if (endedBy !== undefined)
    return so("stopped", endedBy, `a run could not start; ${whatHolds(held, broke)}`);
  const open = [...new Set(tried.flatMap(({ undecided }) => undecided))];
  if (open.length > 0) return so("undecided", 4, `${whatHolds(held, broke)}, but ${open.join("; ")}`);
  if (broke?.causes.some(({ kind }) => kind === "generator"))
    return so(
      "undecided",
      4,
      `${whatHolds(held, broke)}, where the generator broke first: the target may hold more; use a larger or less busy machine`,
    );
  return held ? so("found", 0, whatHolds(held, broke)) : so("failed", 1, whatHolds(held, broke));
}

function whatHolds(held: BreakpointStep | undefined, broke: BreakpointStep | undefined): string {
  const [first] = broke?.causes ?? [];
  const why = first ? ` (${causeText(first)})` : "";
  if (held && broke)
    return `the target held ${perSecond(held)} for ${held.seconds} s, and not ${perSecond(broke)}${why}`;
  if (held)
    return `the target held ${perSecond(held)} for ${held.seconds} s, the highest rate of the search; raise RATE to find its limit`;
  if (broke) return `the target did not even hold ${perSecond(broke)}${why}`;
  return "no rate was judged";
}

const where = (step: BreakpointStep) =>
  step.kind === "ramp" ? `in the ramp up to ${perSecond(step)}` : `at ${perSecond(step)}`;

const perSecond = ({ rate }: BreakpointStep) => `${rate}/s`;

const highest = (steps: readonly BreakpointStep[]) => steps.toSorted((a, b) => b.rate - a.rate)[0];
const lowest = (steps: readonly BreakpointStep[]) => steps.toSorted((a, b) => a.rate - b.rate)[0];
