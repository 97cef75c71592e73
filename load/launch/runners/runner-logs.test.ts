import { describe, expect, it } from "vitest";
import { shaped } from "../../k6/traffic/profiles.ts";
import { readLine } from "../../results/recording/log-line.ts";
import { LOGGED_END, loggedResponse } from "../../testing/example-result.ts";
import { RunnerLogs } from "./runner-logs.ts";

/** Two runners, and 100 iterations in ten seconds. */
const RUN = {
  runId: "0123abcd",
  iterations: 100,
  runners: 2,
  profile: { name: "mine", ...shaped([{ seconds: 10, rate: 10 }]) },
};

const numbers = (first: number, count: number, step = 2) =>
  Array.from({ length: count }, (_, index) => loggedResponse({ iteration: first + index * step }));
const end = (segment: string, elapsedMs = 10_100, runId = RUN.runId) =>
  JSON.stringify(["end", runId, segment, elapsedMs]);

const FIRST = [...numbers(0, 50), end("0:1/2")];
const SECOND = [...numbers(1, 50), end("1/2:1")];

function read(files: Readonly<Record<string, readonly string[]>>, repeats = false): RunnerLogs {
  const logs = new RunnerLogs(RUN, "r", repeats);
  for (const [file, lines] of Object.entries(files))
    for (const line of lines.flatMap((text) => readLine(text) ?? [])) logs.add(line, file);
  return logs;
}

describe("RunnerLogs", () => {
  it.each([
    ["one file for each runner", { a: FIRST, b: SECOND }],
    ["one file for all, in any order", { all: [...SECOND, ...FIRST] }],
    ["lines that are no log", { a: ["time=... level=info", ...FIRST], b: ["", "{}", ...SECOND] }],
    ["dropped iterations, which k6 does not number", { a: [...numbers(0, 48), end("0:1/2")], b: SECOND }],
  ])("miss nothing: %s", (_, files) => {
    const logs = read(files);

    expect([logs.misuses(), logs.gaps()]).toEqual([[], []]);
  });

  it.each([
    ["a runner without a log", { a: FIRST }, "runner 2 of 2: its log is missing"],
    ["a log without an end", { a: FIRST, b: numbers(1, 50) }, "runner 2 of 2: its log has no last line"],
    [
      "a log without one of its lines",
      { a: FIRST, b: SECOND.filter((_, index) => index !== 7) },
      "runner 2 of 2: its log lacks the responses of 1 of 50 iterations",
    ],
    [
      "a runner that was stopped",
      { a: FIRST, b: [...numbers(1, 20), end("1/2:1", 4_000)] },
      "runner 2 of 2: it stopped after 4 s of 10 s, with 20 of 50 iterations",
    ],
  ])("name what is missing: %s", (_, files, gap) => {
    const logs = read(files);

    expect([logs.misuses(), logs.gaps()]).toEqual([[], [expect.stringContaining(gap)]]);
  });

  it.each([
    ["the same log twice", { a: FIRST, b: FIRST }, "b repeats the log of runner 1"],
    ["a runner that was started twice", { a: numbers(0, 3), b: FIRST }, "b repeats what was read before"],
    ["the end of another run", { a: FIRST, b: [end("1/2:1", 1, "ffffffff")] }, "b is the log of another run"],
    [
      "a reference of another run",
      { b: [loggedResponse({ iteration: 1 }).replace('"r1"', '"x1"')] },
      "b is the log of another run",
    ],
    ["an iteration that the run does not have", { b: numbers(101, 1) }, "b is the log of another run"],
    ["a run without parts", { b: [LOGGED_END] }, "b is the log of the execution segment 0:1"],
    ["another number of parts", { b: [end("1/4:1/2")] }, "b is the log of the execution segment 1/4:1/2"],
  ])("refuse what does not belong to the run: %s", (_, files, misuse) => {
    expect(read(files).misuses()).toContainEqual(expect.stringContaining(misuse));
  });

  it("allow for a client that sends the same request again", () => {
    const again = loggedResponse({ iteration: 4, outcome: "timeout" });

    expect(read({ a: [again, ...FIRST] }, true).misuses()).toEqual([]);
  });
});
