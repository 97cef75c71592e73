import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { shaped } from "../../k6/profiles.ts";
import { workloads } from "../../k6/requests.ts";
import { readLine } from "../../results/recording/lines.ts";
import { Recording } from "../../results/recording/recording.ts";
import { summaryOf } from "../../results/recording/summary.ts";
import type { LoadRun } from "../../results/result.ts";
import {
  EXAMPLE_RUN,
  LOGGED_END,
  type LoggedResponse,
  loggedResponse,
} from "../../testing/example-result.ts";
import { readRunnerLogs } from "./merge.ts";

const RUN = {
  ...EXAMPLE_RUN,
  schema: "payments-conformance/load-run@1",
  steps: workloads.transfers,
} as const;

const logged = (response: LoggedResponse) => loggedResponse(response).replace('"r', `"load-${RUN.runId}-`);
const end = (segment: string, elapsedMs = 10_100, runId: string = RUN.runId) =>
  JSON.stringify(["end", runId, segment, elapsedMs]);

type Logs = Readonly<Record<string, readonly string[]>>;

/** Reads these logs of a run. */
function read(run: LoadRun, files: Logs, folder = temporaryFolder()) {
  const paths = Object.entries(files).map(([name, lines]) => {
    writeFileSync(join(folder, name), lines.join("\n"));
    return join(folder, name);
  });
  return readRunnerLogs(folder, run, paths, exampleTarget());
}

test.each([2, 4])(
  "the logs of %i runners add up to the log of one, percentiles and verdicts included",
  (runners) => {
    const objectives = { latency: { createTransfer: { p95: 300, p99: 400 } }, technicalFailures: 0.01 };
    const run = { ...RUN, objectives };
    // 1,200 requests with latencies from 5 to 500 ms, most of them short, and a timeout in a hundred.
    const responses = Array.from({ length: 1200 }, (_, iteration) =>
      logged({
        iteration,
        outcome: iteration % 100 === 99 ? "timeout" : "accepted",
        latencyMs: Math.round(5 + 495 * (((iteration * 7919) % 1200) / 1200) ** 3),
      }),
    );
    const files = Array.from({ length: runners }, (_, runner): [string, string[]] => {
      const mine = responses.filter((_, iteration) => iteration % runners === runner);
      const noise = ['time="..." level=warning msg="[\\"end\\"]"', "", '["createTransfer", 1]'];
      return [`${runner}`, [...noise, ...mine, end(`${runner}/${runners}:${runner + 1}/${runners}`, 60_010)]];
    });
    const alone = new Recording(run);
    for (const line of responses) alone.add(readLine(line), "log");
    const folder = temporaryFolder();

    const merged = read({ ...run, runners }, Object.fromEntries(files.toReversed()), folder);

    const one = summaryOf(alone);
    expect({ gaps: merged.gaps(), summary: summaryOf(merged) }).toEqual({ gaps: [], summary: one });
    expect(Object.keys(one?.operations.createTransfer?.latencyMs ?? {})).toContain("p95");
    expect(one?.thresholds.map(({ ok }) => ok)).toContain(false);
    const references = ({ entries }: Recording) => entries.map(({ reference }) => reference).toSorted();
    expect(references(merged)).toEqual(references(alone));
  },
);

/** Two runners, and 100 iterations in ten seconds. */
const SHARED: LoadRun = {
  ...RUN,
  iterations: 100,
  runners: 2,
  profile: { name: "mine", ...shaped([{ seconds: 10, rate: 10 }]) },
};
const numbers = (first: number, count: number, outcome = "accepted") =>
  Array.from({ length: count }, (_, index) => logged({ iteration: first + index * 2, outcome }));
const FIRST = [...numbers(0, 50), end("0:1/2")];
const SECOND = [...numbers(1, 50), end("1/2:1")];

test.each<[string, Logs, string[]]>([
  ["one file for each runner", { a: FIRST, b: SECOND }, []],
  ["one file for all, in any order", { all: [...SECOND, ...FIRST] }, []],
  ["dropped iterations, which k6 does not number", { a: [...numbers(0, 48), end("0:1/2")], b: SECOND }, []],
  ["a log that was fetched again", { a: FIRST, b: SECOND, again: SECOND }, []],
  ["the two ends of a log, which overlap", { a: FIRST, b: SECOND.slice(0, 30), again: SECOND.slice(20) }, []],
  ["a runner without a log", { a: FIRST }, ["runner 2 of 2: its log is missing"]],
  [
    "a log without an end",
    { a: FIRST, b: numbers(1, 50) },
    ["runner 2 of 2: its log has no last line, so it is cut off (the disk may be full), or k6 was killed"],
  ],
  [
    "a runner that cannot reach the target",
    { a: FIRST, b: ['["unreached","x509: unknown authority"]'] },
    [
      expect.stringMatching(/^\S+\/b: k6 could not reach the target: x509.*CA_FILE/),
      "runner 2 of 2: its log is missing",
    ],
  ],
  [
    "a log without one of its lines",
    { a: FIRST, b: SECOND.toSpliced(7, 1) },
    ["runner 2 of 2: its log lacks the responses of 1 of 50 iterations, or the script failed in them"],
  ],
  [
    "a runner that stopped early",
    { a: FIRST, b: [...numbers(1, 20), end("1/2:1", 4_000)] },
    [expect.stringMatching(/^runner 2 of 2: it stopped after 4 s of 10 s, with 20 of 50 iterations, /)],
  ],
])("the gaps in logs are named: %s", (_, files, gaps) => {
  expect(read(SHARED, files).gaps()).toEqual(gaps);
});

test.each<[string, Logs, string]>([
  ["two ends of a runner", { a: FIRST, b: [end("0:1/2", 9_000)] }, "b repeats the log of runner 1"],
  ["a runner that was started twice", { a: numbers(0, 3, "timeout"), b: FIRST }, "b repeats what was read"],
  ["the end of another run", { a: FIRST, b: [end("1/2:1", 1, "ffffffff")] }, "b is the log of another run"],
  ["a reference of another run", { b: [loggedResponse({ iteration: 1 })] }, "b is the log of another run"],
  ["an iteration that the run does not have", { b: numbers(101, 1) }, "b is the log of another run"],
  ["a run without parts", { b: [LOGGED_END] }, "b is the log of the execution segment 0:1"],
  ["another number of parts", { b: [end("1/4:1/2")] }, "b is the log of the execution segment 1/4:1/2"],
])("logs are refused that have %s", async (_, files, misuse) => {
  const { problems } = await commandErrorOf(() => read(SHARED, files));

  expect(problems).toContainEqual(expect.stringContaining(`/${misuse}`));
});
