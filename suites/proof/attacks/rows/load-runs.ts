import type { Attack } from "../attack.ts";

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
const PREPARED = { control: [], working: [], payments: 0 };
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

const attack = (name: string, change: Partial<Attack>): Attack => ({
  name,
  area: 3,
  command: "load",
  variables: { BASE_URL },
  exit: [2],
  seconds: 60,
  ...change,
});

const filesWith = (log: string, run = text({})) => ({
  "run/run.json": run,
  "run/prepared.json": JSON.stringify(PREPARED),
  "runner.log": log,
});

/** What lies in the folder of a run that several runners sent, or that was killed, and cannot be relied on. */
export const LOAD_RUNS: readonly Attack[] = [
  ...Object.entries(LOGS).map(([name, [log, exit]]) =>
    attack(`merge-log/${name}`, {
      args: ["merge", "run", "runner.log"],
      files: filesWith(log),
      exit: [exit],
    }),
  ),
  ...["/dev/zero", "/tmp", "/nowhere"].map((path) =>
    attack(`merge-log/is${path.replace("/", "-")}`, {
      args: ["merge", "run", path],
      files: filesWith(""),
      says: /is not a file/,
    }),
  ),
  ...Object.entries(RUNS).flatMap(([name, run]) => [
    attack(`merge-run/${name}`, {
      args: ["merge", "run", "runner.log"],
      files: filesWith("", run),
      says: /run\.json/,
    }),
    attack(`reconcile-run/${name}`, {
      area: 2,
      ...(name === "without-profile" && { fast: true }),
      args: ["reconcile", "run"],
      files: { "run/run.json": run },
      says: /run\.json/,
    }),
  ]),
  ...Object.entries({
    deep: DEEP,
    null: "null",
    torn: '{"control":[',
    "payments-many": '{"payments":1e999}',
  }).map(([name, prepared]) =>
    attack(`merge-prepared/${name}`, {
      area: 2,
      args: ["merge", "run", "runner.log"],
      files: { ...filesWith(""), "run/prepared.json": prepared },
      says: /prepared\.json/,
    }),
  ),
  attack("merge-prepared/money-that-the-ledger-lacks", {
    area: 2,
    args: ["merge", "run", "runner.log"],
    files: { ...filesWith(""), "run/prepared.json": JSON.stringify({ ...PREPARED, payments: 7 }) },
    exit: [3],
    says: /holds 0 of the 7 payments of this run/,
  }),
  attack("reconcile-run/of-another-deployment", {
    area: 2,
    args: ["reconcile", "run"],
    files: { "run/run.json": text({ target: { baseUrl: "https://api.example.com", embedded: false } }) },
    exit: [3],
    says: /this run loaded https:\/\/api\.example\.com/,
  }),
];
