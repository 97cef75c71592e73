import type { LoadRun } from "./result.ts";
import type { Summary } from "./summary.ts";

/** Why a run proves too little: k6 sent fewer requests than planned. */
export function shortcomings(
  { iterations: planned }: Pick<LoadRun, "iterations">,
  { iterations, dropped }: Pick<Summary, "iterations" | "dropped">,
): string[] {
  return iterations + dropped < planned ? [`k6 started only ${iterations} of ${planned} requests`] : [];
}
