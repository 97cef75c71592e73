import { plural } from "../../../reports/wording.ts";
import { ArrivalTimes } from "../../k6/traffic/arrivals.ts";
import type { Line } from "../../results/recording/answers.ts";
import { IterationSet } from "../../results/recording/iteration-set.ts";
import type { LoadRun } from "../../results/result.ts";

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
  readonly #run: Pick<LoadRun, "runId" | "iterations" | "profile">;
  /** All references of the run begin with it. */
  readonly #prefix: string;
  readonly #repeats: boolean;
  readonly #logs: readonly RunnerLog[];
  readonly #misuses = new Set<string>();

  /** A client that `repeats` may send the request of an iteration several times. */
  constructor(
    run: Pick<LoadRun, "runId" | "iterations" | "profile">,
    runners: number,
    { prefix, repeats }: { readonly prefix: string; readonly repeats: boolean },
  ) {
    this.#run = run;
    this.#prefix = prefix;
    this.#repeats = repeats;
    this.#logs = Array.from({ length: runners }, () => ({ iterations: new IterationSet() }));
  }

  /** Takes a line of a file. */
  add(line: Line | undefined, file: string): void {
    if (line?.kind === "end") this.#addEnd(line, file);
    if (line?.kind !== "answer" && line?.kind !== "exception") return;
    const isOfRun = line.iteration < this.#run.iterations;
    const isNew = isOfRun && this.#addIteration(line.iteration);
    const reference = line.kind === "answer" ? line.reference : null;
    if (!isOfRun || (reference !== null && !reference.startsWith(this.#prefix)))
      this.#misuse(ofAnotherRun(file));
    else if (line.kind === "answer" && !isNew && !this.#repeats)
      this.#misuse(`${file} repeats what was read before: name each log once, and start each runner once`);
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
    if (elapsedMs < this.#dueMsOfLast(runner) && size < this.#plannedOf(runner))
      return `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(this.#run.profile.seconds)} s, with ${size} of ${plural(this.#plannedOf(runner), "iteration")}; the end of its log says why`;
    return undefined;
  }

  #plannedOf = (runner: number) => Math.ceil((this.#run.iterations - runner) / this.#logs.length);

  /** When the last iteration of a runner is due. */
  #dueMsOfLast(runner: number): number {
    const last = runner + (this.#plannedOf(runner) - 1) * this.#logs.length;
    return new ArrivalTimes(this.#run.profile).dueMs(last);
  }

  #addIteration(iteration: number): boolean {
    const { iterations } = this.#logs[iteration % this.#logs.length] as RunnerLog;
    const before = iterations.size;
    iterations.add(Math.floor(iteration / this.#logs.length));
    return iterations.size > before;
  }

  #addEnd({ runId, segment, elapsedMs }: Extract<Line, { kind: "end" }>, file: string): void {
    const runner = runnerOf(segment, this.#logs.length);
    const log = runner === undefined ? undefined : this.#logs[runner];
    if (runId !== this.#run.runId) this.#misuse(ofAnotherRun(file));
    else if (runner === undefined || !log)
      this.#misuse(
        `${file} is the log of the execution segment ${segment}, which none of ${plural(this.#logs.length, "runner")} has`,
      );
    else if (log.elapsedMs !== undefined)
      this.#misuse(
        `${file} repeats the log of runner ${runner + 1}: name each log once, and start each runner once`,
      );
    else log.elapsedMs = elapsedMs;
  }

  #misuse(problem: string): void {
    this.#misuses.add(problem);
  }
}

const ofAnotherRun = (file: string) => `${file} is the log of another run`;

/** The number of the runner, from 0 on, that has this execution segment; `undefined` if none of so many has it. */
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
