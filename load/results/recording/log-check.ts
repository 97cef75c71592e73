import { plural } from "../../../reports/wording.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import type { LoadRun } from "../result.ts";
import type { Line } from "./lines.ts";

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "start each runner once";

/** Finds what is missing and what does not belong in the log of a run: of `n` runners, each has every `n`th iteration. */
export function checkLog(run: Pick<LoadRun, "runId" | "profile" | "iterations" | "runners">, prefix: string) {
  const { profile, runners = 1 } = run;
  const logs = Array.from({ length: runners }, () => ({
    /** Counted without those of the other runners. */
    isRead: new Uint8Array(Math.ceil(run.iterations / runners)),
    size: 0,
    /** One more than the highest number. */
    length: 0,
    /** How long the runner ran; absent without the last line of its log. */
    elapsedMs: undefined as number | undefined,
  }));
  /** Why processes of k6 did not reach the target, if so; which ones, their logs do not say. */
  const unreached = new Set<string>();
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

  /** Counts a line for its runner; says so if it does not belong to the run. */
  const misuseOf = (line: Line): string | undefined => {
    if (line.kind === "end") return misuseOfEnd(line);
    if (line.kind !== "response") return undefined;
    const log = logs[line.iteration % runners];
    const isForeign = line.reference?.startsWith(prefix) === false;
    if (line.iteration >= run.iterations || isForeign || !log) return OF_ANOTHER_RUN;
    const place = Math.floor(line.iteration / runners);
    if (log.isRead[place] === 1) return `repeats what was read before: ${ONCE}`;
    log.isRead[place] = 1;
    log.size += 1;
    log.length = Math.max(log.length, place + 1);
    return undefined;
  };

  const gapOf = ({ size, length, elapsedMs }: (typeof logs)[number], runner: number): string | undefined => {
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off (the disk may be full), or k6 was killed";
    const planned = Math.ceil((run.iterations - runner) / runners);
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    if (elapsedMs < lastDueMs && size < planned)
      return `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}, for example because most responses were server errors; the end of its log says why`;
    return size < length
      ? `its log lacks the responses of ${length - size} of ${length} iterations, or the script failed in them`
      : undefined;
  };

  return {
    add: (line: Line | undefined, file: string) => {
      if (line?.kind === "unreached")
        unreached.add(`${file}: k6 could not reach the target: ${line.error} (${remedyFor(line.error)})`);
      const misuse = line && misuseOf(line);
      if (misuse !== undefined) misuses.add(`${file} ${misuse}`);
    },
    misuses: () => [...misuses],
    unreached: () => [...unreached],
    /** What is missing, one line each. */
    gaps: () => [
      ...unreached,
      ...logs.flatMap((log, runner) => {
        const gap = gapOf(log, runner);
        const who = runners === 1 ? "k6" : `runner ${runner + 1} of ${runners}`;
        return gap === undefined ? [] : [`${who}: ${gap}`];
      }),
    ],
  };
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
