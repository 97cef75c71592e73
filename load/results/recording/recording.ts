import { plural } from "../../../reports/wording.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { OUTCOMES } from "../../k6/responses.ts";
import type { LoadRun } from "../result.ts";
import type { Entry, Line } from "./lines.ts";

type LineOf<K extends Line["kind"]> = Extract<Line, { kind: K }>;

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "start each runner once";

/**
 * Keeps what k6's log says of a run: of each iteration, in 17 bytes, and more of money and of invariants. Finds what is missing
 * and what does not belong in it; of `n` runners, each has every `n`th iteration.
 */
export class Recording {
  readonly run: Pick<LoadRun, "runId" | "iterations" | "profile" | "objectives" | "steps" | "runners">;
  /** The place of each iteration's outcome in OUTCOMES, from 1 on; 0 without a response. */
  readonly outcomes: Uint8Array;
  readonly startedMs: Float64Array;
  readonly tookMs: Float64Array;
  /** The requests that may have moved money, in the order of their responses. */
  readonly entries: Entry[] = [];
  readonly sightings: LineOf<"sighting">[] = [];
  /** Why processes of k6 did not reach the target, if so; which ones, their logs do not say. */
  readonly unreached = new Set<string>();
  /** What does not belong in the log. */
  readonly misuses = new Set<string>();
  readonly #prefix: string;
  /** How long each runner ran; absent without the last line of its log. */
  readonly #elapsedMs = new Map<number, number>();

  /** All references of the run begin with `prefix`. */
  constructor(run: Recording["run"], prefix = "") {
    this.run = run;
    this.#prefix = prefix;
    this.outcomes = new Uint8Array(run.iterations);
    this.startedMs = new Float64Array(run.iterations);
    this.tookMs = new Float64Array(run.iterations);
  }

  /** Reads a line of the log `file`. */
  add(line: Line | undefined, file: string): void {
    if (line?.kind === "unreached")
      this.unreached.add(`${file}: k6 could not reach the target: ${line.error} (${remedyFor(line.error)})`);
    if (line?.kind === "sighting") this.sightings.push(line);
    const misuse =
      (line?.kind === "response" && this.#addResponse(line)) || (line?.kind === "end" && this.#addEnd(line));
    if (misuse) this.misuses.add(`${file} ${misuse}`);
  }

  /** Returns why the line does not belong to the run, if so. */
  #addResponse(line: LineOf<"response">): string | undefined {
    const { iteration, operation, reference, outcome, status, identifier, startedMs, tookMs } = line;
    const isForeign = reference?.startsWith(this.#prefix) === false;
    if (iteration >= this.run.iterations || isForeign) return OF_ANOTHER_RUN;
    if (this.outcomes[iteration] !== 0) return `repeats what was read before: ${ONCE}`;
    this.outcomes[iteration] = OUTCOMES.indexOf(outcome) + 1;
    this.startedMs[iteration] = startedMs;
    this.tookMs[iteration] = tookMs;
    if (reference !== null) this.entries.push({ operation, reference, outcome, status, identifier });
    return undefined;
  }

  #addEnd({ runId, segment, elapsedMs }: LineOf<"end">): string | undefined {
    const { runners = 1 } = this.run;
    const runner = runnerOf(segment, runners);
    if (runId !== this.run.runId) return OF_ANOTHER_RUN;
    if (runner < 0)
      return `is the log of the execution segment ${segment}, which none of ${plural(runners, "runner")} has`;
    if (this.#elapsedMs.has(runner)) return `repeats the log of runner ${runner + 1}: ${ONCE}`;
    this.#elapsedMs.set(runner, elapsedMs);
    return undefined;
  }

  /** Names what is missing, one line each. */
  gaps(): string[] {
    const { runners = 1 } = this.run;
    const gaps = Array.from({ length: runners }, (_, runner) => {
      const gap = this.#gapOf(runner, runners);
      const who = runners === 1 ? "k6" : `runner ${runner + 1} of ${runners}`;
      return gap === undefined ? [] : `${who}: ${gap}`;
    });
    return [...this.unreached, ...gaps.flat()];
  }

  #gapOf(runner: number, runners: number): string | undefined {
    const { iterations, profile } = this.run;
    const planned = Math.ceil((iterations - runner) / runners);
    const mine = Array.from({ length: planned }, (_, place) => this.outcomes[runner + place * runners] !== 0);
    const size = mine.filter((isRead) => isRead).length;
    const elapsedMs = this.#elapsedMs.get(runner);
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off (the disk may be full), or k6 was killed";
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    if (elapsedMs < lastDueMs && size < planned)
      return `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}, for example because most responses were server errors; the end of its log says why`;
    const length = mine.lastIndexOf(true) + 1;
    return size < length
      ? `its log lacks the responses of ${length - size} of ${length} iterations, or the script failed in them`
      : undefined;
  }
}

/** What to do where k6 does not get to a target that this command reaches. */
function remedyFor(error: string): string {
  if (/x509|certificate|authority/.test(error))
    return "k6 trusts the authorities of its system, on Linux also those in CA_FILE or NODE_EXTRA_CA_CERTS: add the missing one there";
  if (/lookup|no such host/.test(error))
    return "enter the name in /etc/hosts or in the name server of the machine of k6, or set BASE_URL to its address";
  return "compare how k6 and this command get there: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the address, since k6 takes an IPv4 address if the name has one; where only IPv6 is served, set BASE_URL to that address, such as http://[::1]:8080";
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
