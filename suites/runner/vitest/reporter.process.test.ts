import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROJECT_ROOT } from "../../../fixtures/testing/scripts.ts";
import { startProgram } from "../../../fixtures/testing/spawned.ts";
import { buildVerdicts } from "../../../reports/build-verdicts.ts";
import type { RunEvent } from "../../../reports/events/events.ts";
import { readEvents } from "../../../reports/events/events.ts";
import { exampleCheck } from "../../../reports/testing/examples.ts";

const LAUNCH = fileURLToPath(new URL("../../../fixtures/testing/example-launch.ts", import.meta.url));
/** Inside node_modules, so that the check files find vitest. */
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/payments-conformance/", import.meta.url));
const HEAD = `import { afterEach, beforeAll, describe, expect, test } from "vitest";\n`;

const info = (id: string) => {
  const { title, operation, level, requirements } = exampleCheck("pass");
  return JSON.stringify({ id, title, operation, level, requirements });
};
const result = (id: string, verdict: "pass" | "fail" | "not-tested") =>
  JSON.stringify(exampleCheck(verdict, { id }));
const passing = (id: string) =>
  `test("${id}", ({ task }) => { expect(1).toBe(1); task.meta.result = ${result(id, "pass")}; });`;

interface Launched {
  readonly events: readonly RunEvent[];
  readonly progress: string;
}

async function launch(files: Record<string, string>, plan: string[], last = ""): Promise<Launched> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, "reporter-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(directory, `${name}.check.ts`), HEAD + text);
  const args = ["--import", "tsx", LAUNCH, directory, plan.join(","), last];
  const { stdout } = await startProgram(process.execPath, args, { folder: PROJECT_ROOT }).ended;
  return { events: readEvents(directory), progress: stdout };
}

const verdicts = (events: readonly RunEvent[]) =>
  Object.fromEntries(buildVerdicts(events).checks.map((check) => [check.id, check.verdict]));
const problems = (events: readonly RunEvent[]) => buildVerdicts(events).problems;

describe("VerdictReporter", () => {
  it("records what checks found, and reports every way in which a test can break as a fault of ours", async () => {
    const { events, progress } = await launch(
      {
        found: `
          ${passing("listTransfers/passing")}
          test("listTransfers/failing", ({ task }) => {
            task.meta.result = ${result("listTransfers/failing", "fail")};
            task.meta.observations = [{ item: "N33", operation: "listTransfers", text: "A 401 is JSON." }];
            task.meta.created = [{ operation: "createTransfer", reference: "r-1", at: "2026-03-01T10:01:00Z" }];
            throw new Error("returned 500");
          });
          test("listTransfers/untested", ({ task, skip }) => {
            task.meta.result = ${result("listTransfers/untested", "not-tested")};
            skip("set CUSTOMER_ID");
          });
          test("listTransfers/lost", ({ task, skip }) => {
            task.meta.isPostponed = true;
            skip("is judged again");
          });
          test("listTransfers/postponed", ({ task, skip }) => {
            task.meta.isPostponed = true;
            skip("is judged again");
          });
          ${passing("listTransfers/deselected")}`,
        broken: `
          test("listTransfers/crashing", { meta: { info: ${info("listTransfers/crashing")} } }, () => {
            throw new TypeError("sk_test_secret is undefined\\nand more");
          });
          test("listTransfers/nameless", () => { throw new TypeError("x is undefined"); });
          test("listTransfers/silent", { meta: { info: ${info("listTransfers/silent")} } }, () => {
            expect(1).toBe(1);
          });
          test("listTransfers/asserts-nothing", ({ task }) => {
            task.meta.result = ${result("listTransfers/asserts-nothing", "pass")};
          });
          test("listTransfers/hanging", { meta: { info: ${info("listTransfers/hanging")} } }, () =>
            new Promise(() => {}));
          describe("a broken hook", () => {
            beforeAll(() => { throw new Error("hook broke"); });
            test("listTransfers/hooked", { meta: { info: ${info("listTransfers/hooked")} } }, () => {});
          });`,
        unimportable: `throw new Error("import broke");`,
        second: passing("listTransfers/postponed"),
        stray: `${passing("listTransfers/stray")}
          setTimeout(() => { throw new Error("thrown later"); }, 1);
          test("listTransfers/waiting", async ({ task }) => {
            expect(1).toBe(1);
            await new Promise((resolve) => setTimeout(resolve, 50));
            task.meta.result = ${result("listTransfers/waiting", "pass")};
          });`,
      },
      [
        "listTransfers/passing",
        "listTransfers/failing",
        "listTransfers/missing",
        "listTransfers/postponed",
        "listTransfers/lost",
      ],
    );

    expect(verdicts(events)).toEqual({
      "listTransfers/passing": "pass",
      "listTransfers/failing": "fail",
      "listTransfers/untested": "not-tested",
      "listTransfers/crashing": "suite-error",
      "listTransfers/silent": "suite-error",
      "listTransfers/asserts-nothing": "suite-error",
      "listTransfers/hanging": "suite-error",
      "listTransfers/hooked": "suite-error",
      "listTransfers/postponed": "pass",
      "listTransfers/stray": "pass",
      "listTransfers/waiting": "pass",
    });
    expect(problems(events).toSorted()).toEqual([
      "a broken hook: hook broke",
      "listTransfers/lost: the check produced no result",
      "listTransfers/missing: the check produced no result",
      "listTransfers/nameless: ended without a result: x is undefined",
      "unhandled error: thrown later",
      expect.stringMatching(/unimportable\.check\.ts: import broke$/),
    ]);
    const file = buildVerdicts(events);
    const message = (id: string) => file.checks.find((check) => check.id === id)?.message;
    expect(message("listTransfers/crashing")).toBe("ended without a result: sk_test_… is undefined");
    expect(message("listTransfers/asserts-nothing")).toMatch(
      /^reached the verdict pass, but then its test failed: expected any/,
    );
    expect(message("listTransfers/hanging")).toMatch(/timed out/);
    expect(file).toMatchObject({ outcome: "error", exitCode: 70 });
    expect(file.observations).toHaveLength(1);
    expect(file.created).toHaveLength(1);
    expect(progress).toContain("/5 listTransfers/passing\n");
  });

  it("keeps what was found if an import hangs, and reports the rest of the plan as missing", async () => {
    const { events } = await launch(
      { first: passing("listTransfers/passing"), second: `await new Promise(() => {});` },
      ["listTransfers/passing", "listTransfers/behind-the-import"],
      "listTransfers/passing",
    );

    expect(verdicts(events)).toEqual({ "listTransfers/passing": "pass" });
    expect(problems(events)).toEqual(["listTransfers/behind-the-import: the check produced no result"]);
  });

  it("does not trust vitest when it calls a run passed whose worker died", async () => {
    const { events } = await launch(
      {
        first: `test("listTransfers/dead", ({ task }) => {
          expect(1).toBe(1);
          task.meta.result = { ...${result("listTransfers/dead", "pass")}, cannotBeCloned: () => 1 };
        });`,
      },
      ["listTransfers/dead"],
    );

    expect(problems(events)).toContain("listTransfers/dead: the check produced no result");
    expect(buildVerdicts(events).exitCode).toBe(70);
  });
});
