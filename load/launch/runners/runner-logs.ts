import { plural } from "../../../reports/wording.ts";
import { ArrivalTimes } from "../../k6/traffic/arrivals.ts";
import type { Line } from "../../results/recording/log-line.ts";
import { IterationSet } from "../../results/recording/recording.ts";
import type { LoadRun } from "../../results/result.ts";

type Run = Pick<LoadRun, "runId" | "iterations" | "profile" | "runners">;

/** What one runner logged. Its iterations are counted here without those of the others. */
interface RunnerLog {
  readonly iterations: IterationSet;
  /** How long the runner ran; absent without the last line of its log. */
  elapsedMs?: number;
}

/**
 * Watches the lines of the runners of a run, in any number of files, for what is missing and what does not belong there. Of
 * `n` runners, each has every `n`th iteration, and numbers them without a gap.
 */
export class RunnerLogs {
  readonly #run: Run;
  /** All references of the run begin with it. */
  readonly #prefix: string;
  readonly #repeats: boolean;
  readonly #logs: readonly RunnerLog[];
  readonly #misuses = new Set<string>();

  /** A client that `repeats` may send the request of an iteration several times. */
  constructor(run: Run, prefix: string, repeats: boolean) {
    this.#run = run;
    this.#prefix = prefix;
    this.#repeats = repeats;
    const { runners = 1, iterations } = run;
    const share = Math.ceil(iterations / runners);
    this.#logs = Array.from({ length: runners }, () => ({ iterations: new IterationSet(share) }));
  }

  /** Takes a line of a file. */
  add(line: Line, file: string): void {
    if (line.kind === "sighting") return;
    const misuse = line.kind === "end" ? this.#addEnd(line) : this.#addIteration(line);
    if (misuse !== undefined) this.#misuses.add(`${file} ${misuse}`);
  }

  /** What does not belong to the run, one line each. */
  misuses(): string[] {
    return [...this.#misuses];
  }

  /** What is missing, one line each. */
  gaps(): string[] {
    return this.#logs.flatMap((log, runner) => {
      const gap = this.#gapOf(log, runner);
      return gap === undefined ? [] : [`runner ${runner + 1} of ${this.#logs.length}: ${gap}`];
    });
  }

  #gapOf({ iterations, elapsedMs }: RunnerLog, runner: number): string | undefined {
    const { size, length } = iterations;
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off, or the runner was killed";
    if (size < length) return `its log lacks the responses of ${length - size} of ${length} iterations`;
    const runners = this.#logs.length;
    const { iterations: all, profile } = this.#run;
    const planned = Math.ceil((all - runner) / runners);
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    if (elapsedMs < lastDueMs && size < planned)
      return `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}; the end of its log says why`;
    return undefined;
  }

  #addIteration(line: Extract<Line, { kind: "response" | "exception" }>): string | undefined {
    const { kind, iteration } = line;
    const reference = kind === "response" ? line.reference : null;
    if (iteration >= this.#run.iterations || !(reference ?? this.#prefix).startsWith(this.#prefix))
      return OF_ANOTHER_RUN;
    const { iterations } = this.#logs[iteration % this.#logs.length] as RunnerLog;
    const before = iterations.size;
    iterations.add(Math.floor(iteration / this.#logs.length));
    return kind === "exception" || this.#repeats || iterations.size > before
      ? undefined
      : `repeats what was read before: ${ONCE}`;
  }

  #addEnd({ runId, segment, elapsedMs }: Extract<Line, { kind: "end" }>): string | undefined {
    const runners = this.#logs.length;
    const runner = runnerOf(segment, runners);
    const log = runner === undefined ? undefined : this.#logs[runner];
    if (runId !== this.#run.runId) return OF_ANOTHER_RUN;
    if (runner === undefined || !log)
      return `is the log of the execution segment ${segment}, which none of ${plural(runners, "runner")} has`;
    if (log.elapsedMs !== undefined) return `repeats the log of runner ${runner + 1}: ${ONCE}`;
    log.elapsedMs = elapsedMs;
    return undefined;
  }
}

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "name each log once, and start each runner once";

/** The number of the runner, from 0 on, that has this execution segment; `undefined` if none of them has it. */
function runnerOf(segment: string, runners: number): number | undefined {
  const [from = 0, to = 0] = segment.split(":").map(fractionOf);
  const runner = Math.round(from * runners);
  const isOne = Math.abs(from * runners - runner) < 1e-6 && Math.abs(to * runners - runner - 1) < 1e-6;
  return isOne ? runner : undefined;
}

function fractionOf(text: string): number {
  const [numerator, denominator = "1"] = text.split("/");
  return Number(numerator) / Number(denominator);
}
