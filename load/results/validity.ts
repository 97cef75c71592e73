import { percent } from "../../reports/wording.ts";
import type { Generator, Summary, Validity } from "./result.ts";

/** With a longer schedule lag or a busier CPU, the latencies are the generator's, not the target's. */
const MAX_LAG_MS = 20;
const MAX_CPU = 0.85;
/** A lag that is a smaller share of the latency changes nothing about it. */
const LAG_OF_LATENCY = 0.05;
/** The share of iterations that a valid run may drop because no virtual user was free. */
const MAX_DROPPED = 0.001;

type Timed = Pick<Summary, "iterations" | "dropped" | "scheduleLagP99Ms" | "operations">;

/** Says whether the latencies are the target's own: in the open model, only if iterations started on time. */
export function validityOf(measured: Timed | undefined, { cpuShare = 0 }: Generator): Validity {
  if (measured?.scheduleLagP99Ms === undefined) return "valid";
  const { iterations, dropped, scheduleLagP99Ms: lag } = measured;
  if (lag > mostLagMs(measured) || cpuShare > MAX_CPU) return "generator-limited";
  return dropped > (iterations + dropped) * MAX_DROPPED ? "target-limited" : "valid";
}

/** How late requests may start: the fastest operation decides. */
export function mostLagMs({ operations }: Pick<Summary, "operations">): number {
  const averages = Object.values(operations).flatMap(({ latencyMs }) => latencyMs.avg ?? []);
  return Math.max(MAX_LAG_MS, averages.length > 0 ? Math.min(...averages) * LAG_OF_LATENCY : 0);
}

/** Says why the latencies of a run that is limited by its generator are not the target's, and what to do. */
export function lateness(measured: Summary | undefined, { cpuShare, machineShare }: Generator) {
  const late = `p99 of the schedule lag ${Math.round(measured?.scheduleLagP99Ms ?? 0)} ms`;
  if (cpuShare === undefined)
    return {
      why: `k6 started requests too late (${late})`,
      remedy: "lower RATE, or use a larger or less busy machine, or several",
    };
  const used = `k6 used ${percent(cpuShare, 2)} of the CPU`;
  if (cpuShare > MAX_CPU)
    return {
      why: `k6 was too slow for this rate (${late}, ${used})`,
      remedy: "lower RATE, or use a larger machine, or several",
    };
  const others = machineShare === undefined ? "" : `, all programs together ${percent(machineShare, 2)}`;
  const isBusy = machineShare !== undefined && machineShare > MAX_CPU;
  return {
    why: `this machine was ${isBusy ? "busy with other programs" : "held up at times, by other programs or a limit on its CPU"}, so k6 started requests too late (${late}, ${used}${others})`,
    remedy: "repeat the run on a less busy machine",
  };
}
