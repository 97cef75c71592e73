import { plural } from "../../../reports/wording.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import type { Line } from "../../results/recording/recording.ts";
import { IterationSet } from "../../results/recording/recording.ts";
import type { LoadRun } from "../../results/result.ts";

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "name each log once, and start each runner once";

/**
 * Watches the lines of the runners of a run, in any number of files, for what is missing and what does not belong there. Of
 * `n` runners, each has every `n`th iteration, and numbers them without a gap. All references of the run begin with `prefix`;
 * a client that `repeats` may send the request of an iteration several times.
 */
export function watchRunners(run: LoadRun, prefix: string, repeats: boolean) {
  const { profile, runners = 1 } = run;
  const logs = Array.from({ length: runners }, () => ({
    /** Counted without those of the other runners. */
    iterations: new IterationSet(Math.ceil(run.iterations / runners)),
    /** How long the runner ran; absent without the last line of its log. */
    elapsedMs: undefined as number | undefined,
  }));
  const misuses = new Set<string>();

  const misuseOfEnd = ({ runId, segment, elapsedMs }: Extract<Line, { kind: "end" }>) => {
    const runner = runnerOf(segment, runners);
    const log = logs[runner];
    if (runId !== run.runId) return OF_ANOTHER_RUN;
    if (!log)
      return `is the log of the execution segment ${segment}, which none of ${plural(runners, "runner")} has`;
    if (log.elapsedMs !== undefined) return `repeats the log of runner ${runner + 1}: ${ONCE}`;
    log.elapsedMs = elapsedMs;
    return undefined;
  };

  const misuseOf = (line: Line): string | undefined => {
    if (line.kind === "sighting") return undefined;
    if (line.kind === "end") return misuseOfEnd(line);
    const { kind, iteration } = line;
    const isForeign = kind === "response" && line.reference?.startsWith(prefix) === false;
    const iterations = logs[iteration % runners]?.iterations;
    if (iteration >= run.iterations || isForeign || !iterations) return OF_ANOTHER_RUN;
    const before = iterations.size;
    iterations.add(Math.floor(iteration / runners));
    const isRepeated = kind === "response" && !repeats && iterations.size === before;
    return isRepeated ? `repeats what was read before: ${ONCE}` : undefined;
  };

  const gapOf = ({ iterations, elapsedMs }: (typeof logs)[number], runner: number): string | undefined => {
    const { size, length } = iterations;
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off, or the runner was killed";
    if (size < length) return `its log lacks the responses of ${length - size} of ${length} iterations`;
    const planned = Math.ceil((run.iterations - runner) / runners);
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    return elapsedMs < lastDueMs && size < planned
      ? `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}; the end of its log says why`
      : undefined;
  };

  return {
    /** Takes a line of a file. */
    add: (line: Line, file: string) => {
      const misuse = misuseOf(line);
      if (misuse !== undefined) misuses.add(`${file} ${misuse}`);
    },
    /** What does not belong to the run, one line each. */
    misuses: () => [...misuses],
    /** What is missing, one line each. */
    gaps: () =>
      logs.flatMap((log, runner) => {
        const gap = gapOf(log, runner);
        return gap === undefined ? [] : [`runner ${runner + 1} of ${runners}: ${gap}`];
      }),
  };
}

/** The number of the runner, from 0 on, that has this execution segment; -1 if none of them has it. */
function runnerOf(segment: string, runners: number): number {
  const [from = 0, to = 0] = segment.split(":").map((fraction) => {
    const [numerator, denominator = 1] = fraction.split("/").map(Number);
    return (Number(numerator) / denominator) * runners;
  });
  const runner = Math.round(from);
  return Math.abs(from - runner) < 1e-6 && Math.abs(to - runner - 1) < 1e-6 ? runner : -1;
}
