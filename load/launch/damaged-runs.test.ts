import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { DEPLOYMENT, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { EXAMPLE_RUN } from "../testing/example-result.ts";
import { load } from "./main.ts";

const MB = 1024 * 1024;
const DEEP = "[".repeat(100_000);

/** A run of two runners that moved no money, as `prepare` left it. */
const RUN = {
  ...EXAMPLE_RUN,
  schema: "payments-conformance/load-run@1",
  target: { baseUrl: DEPLOYMENT.BASE_URL, embedded: false },
  workload: "readers",
  steps: [{ operation: "listTransfers", weight: 1 }],
  iterations: 100,
  runners: 2,
};
const PREPARED = { control: [], working: [], payments: 0 };
const text = (change: object) => JSON.stringify({ ...RUN, ...change });
const line = (iteration: number, timing: readonly number[], operation = "listTransfers") =>
  JSON.stringify([operation, null, "accepted", 200, null, [iteration, ...timing]]);

/** Runs the command on the folder of a run that is damaged so. */
function withFiles(
  args: readonly string[],
  { log = "", run = text({}), prepared = JSON.stringify(PREPARED) },
) {
  const folder = temporaryFolder();
  const files = { "run/run.json": run, "run/prepared.json": prepared, "runner.log": log };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return invoke(load, args, DEPLOYMENT, folder);
}
const merge = (files: Parameters<typeof withFiles>[1]) => withFiles(["merge", "run", "runner.log"], files);

test.each([
  ["deep", DEEP],
  ["null", "null"],
  ["torn", text({}).slice(0, 300)],
  ["another file", '{"schema":"payments-conformance/load@3"}'],
  ["with a path as its id", text({ runId: "../../x" })],
  ["with an address that is none", text({ target: { baseUrl: "x", embedded: false } })],
  ["with more iterations than any run has", text({ iterations: 1e15 })],
  ["with a billion runners", text({ runners: 1e9 })],
  ["with an operation of the prototype", text({ steps: [{ operation: "__proto__", weight: 1 }] })],
])("a run.json that is %s is refused before anything is sent", async (_, run) => {
  for (const ended of [await merge({ run }), await withFiles(["reconcile", "run"], { run })])
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("run.json") });
});

test.each([
  ["null", "null", 2, "prepared.json"],
  ["torn", '{"control":[', 2, "prepared.json"],
  ["of more payments than there are numbers", '{"payments":1e999}', 2, "prepared.json"],
  [
    "of payments that the ledger lacks",
    JSON.stringify({ ...PREPARED, payments: 7 }),
    3,
    "holds 0 of the 7 payments of this run",
  ],
])("a prepared.json that is %s is refused", async (_, prepared, code, problem) => {
  expect(await merge({ prepared })).toMatchObject({ code, stderr: expect.stringContaining(problem) });
});

test("a run of another deployment is refused", async () => {
  const run = text({ target: { baseUrl: "https://api.example.com", embedded: false } });

  expect(await withFiles(["reconcile", "run"], { run })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("this run loaded https://api.example.com"),
  });
});

test.each(["/dev/zero", ".", "nowhere"])("%s is not a file that can be merged", async (path) => {
  expect(await withFiles(["merge", "run", path], {})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is not a file"),
  });
});

test.each([
  ["of zero bytes", "\0".repeat(MB), 4],
  ["deep", DEEP, 4],
  ["of one line of 50 MB", "x".repeat(50 * MB), 4],
  ["with a negative iteration", line(-1, [0, 5]), 4],
  ["with an iteration that no run has", line(Number.MAX_SAFE_INTEGER, [0, 5]), 2],
  ["with enormous times", line(0, [1e300, 1e300]), 4],
  ["with negative times", line(0, [-1e300, -1]), 4],
  ["with an operation of the prototype", line(0, [0, 5], "__proto__"), 4],
  ["with an escape sequence", JSON.stringify(["end", RUN.runId, "\u001b[31m::error::0:1", 10_100]), 2],
])("a log %s gives no verdict", async (_, log, expected) => {
  const { code, stderr } = await merge({ log });

  expect(code).toBe(expected);
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|^\s*::|^\s+at /mu);
});
