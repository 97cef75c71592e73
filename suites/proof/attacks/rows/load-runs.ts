import { type Attack, attacks } from "../attack.ts";

/** A deployment that nothing may be sent to before the files below are refused. */
const BASE_URL = "http://127.0.0.1:9";
const MB = 1024 * 1024;
const DEEP = "[".repeat(100_000);

/** A run of two runners that moved no money, as `prepare` left it. */
const RUN = {
  schema: "payments-conformance/load-run@1",
  suite: { version: "0.1.0", commit: "0123456789abcdef" },
  target: { baseUrl: BASE_URL, embedded: false },
  runId: "0123abcd",
  workload: "readers",
  steps: [{ operation: "listTransfers", weight: 1 }],
  profile: { name: "mine", model: "open", rate: 10, seconds: 10, stages: [{ seconds: 10, rate: 10 }] },
  iterations: 100,
  k6: "2.2.0",
  runners: 2,
  startedAt: "2026-01-01T00:00:00.000Z",
  command: "npm run load",
};
const PREPARED = { control: [], tried: { working: [], failing: [] }, payments: 0 };
const text = (change: object) => JSON.stringify({ ...RUN, ...change });

const end = (segment: string, elapsedMs: unknown = 10_100, runId = RUN.runId) =>
  JSON.stringify(["end", runId, segment, elapsedMs]);
const line = (iteration: unknown, timing: readonly unknown[] = [0, 0, 5], operation = "listTransfers") =>
  JSON.stringify([operation, null, "accepted", 200, null, [iteration, ...timing]]);

/** Logs that a runner never wrote as they are; without all of a run, there is no verdict (exit code 4). */
const LOGS: Readonly<Record<string, readonly [log: string, exit: 2 | 4]>> = {
  empty: ["", 4],
  "nul-bytes": ["\0".repeat(MB), 4],
  deep: [DEEP, 4],
  "one-line-of-50-mb": ["x".repeat(50 * MB), 4],
  "one-number-of-10-mb": [`[${"1".repeat(10 * MB)}`, 4],
  "a-million-empty-lines": ["\n".repeat(1_000_000), 4],
  "iteration-negative": [line(-1), 4],
  "iteration-fractional": [line(0.5), 4],
  "iteration-of-another-run": [line(100), 2],
  "iteration-huge": [line(Number.MAX_SAFE_INTEGER), 2],
  "exception-huge": ['["exception",2000000000]', 2],
  "times-huge": [line(0, [1e300, 1e300, 1e300]), 4],
  "times-negative": [line(0, [-1e300, -1, -1]), 4],
  "operation-of-the-prototype": [line(0, [0, 0, 5], "__proto__"), 4],
  "end-of-no-segment": [end("NaN:Infinity"), 2],
  "end-of-another-run": [end("0:1/2", 10_100, "ffffffff"), 2],
  "end-before-the-start": [`${line(0)}\n${end("0:1/2", -1)}`, 4],
  "end-twice": [`${end("0:1/2")}\n${end("0:1/2")}`, 2],
  "escape-sequence": [end("\u001b[31m::error::0:1"), 2],
};

/** A `run.json` that was changed or damaged after it was written. */
const RUNS: Readonly<Record<string, string>> = {
  deep: DEEP,
  null: "null",
  torn: text({}).slice(0, 300),
  "another-file": '{"schema":"payments-conformance/load@2"}',
  "without-profile": text({ profile: undefined }),
  "id-that-is-a-path": text({ runId: "../../x" }),
  "address-that-is-none": text({ target: { baseUrl: "x", embedded: false } }),
  "iterations-negative": text({ iterations: -1 }),
  "iterations-huge": text({ iterations: 1e15 }),
  "runners-huge": text({ runners: 1e9 }),
  "runners-none": text({ runners: 0 }),
  "steps-of-the-prototype": text({ steps: [{ operation: "__proto__", weight: 1 }] }),
  "steps-without-weight": text({ steps: [{ operation: "listTransfers", weight: 0 }] }),
  "started-never": text({ startedAt: "soon" }),
};

/** A command that works on the folder of a run, and refuses it before it sends anything. */
const refused = (args: readonly string[], files: Attack["files"], says?: RegExp, exit = 2) => ({
  command: "load" as const,
  variables: { BASE_URL },
  args,
  ...(files && { files }),
  ...(says && { says }),
  exit: [exit],
});

const merged = (
  { log = "", run = text({}), prepared = JSON.stringify(PREPARED) },
  says?: RegExp,
  exit?: number,
) =>
  refused(
    ["merge", "run", "runner.log"],
    { "run/run.json": run, "run/prepared.json": prepared, "runner.log": log },
    says,
    exit,
  );

const PREPARATIONS: Readonly<Record<string, string>> = {
  null: "null",
  torn: '{"control":[',
  "payments-many": '{"payments":1e999}',
};
const NO_FILES = { "is-endless": "/dev/zero", "is-a-folder": ".", "is-missing": "nowhere" };

/** What lies in the folder of a run that several runners sent, or that was killed, and cannot be relied on. */
export const LOAD_RUNS: readonly Attack[] = [
  ...attacks("merge-log", LOGS, ([log, exit]) => merged({ log }, undefined, exit)),
  ...attacks("merge-log", NO_FILES, (path) => ({
    ...merged({}, /is not a file/),
    args: ["merge", "run", path],
  })),
  ...attacks("merge-run", RUNS, (run) => merged({ run }, /run\.json/)),
  ...attacks("reconcile-run", RUNS, (run) =>
    refused(["reconcile", "run"], { "run/run.json": run }, /run\.json/),
  ),
  ...attacks("merge-prepared", PREPARATIONS, (prepared) => merged({ prepared }, /prepared\.json/)),
  {
    name: "merge-prepared/money-that-the-ledger-lacks",
    ...merged(
      { prepared: JSON.stringify({ ...PREPARED, payments: 7 }) },
      /holds 0 of the 7 payments of this run/,
      3,
    ),
  },
  {
    name: "reconcile-run/of-another-deployment",
    ...refused(
      ["reconcile", "run"],
      { "run/run.json": text({ target: { baseUrl: "https://api.example.com", embedded: false } }) },
      /this run loaded https:\/\/api\.example\.com/,
      3,
    ),
  },
];
