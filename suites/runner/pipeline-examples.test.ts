import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { tsImport } from "tsx/esm/api";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { variableNames } from "../../fixtures/engine/config/variables.ts";

const fileOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const readme = fileOf("reports/ci/README.md");

/** The code block of a language that holds this text. */
function block(language: string, holding: string): string {
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.filter(([, name, code]) => name === language && code?.includes(holding));
  expect(found).toHaveLength(1);
  return found[0]?.[2] ?? "";
}

/** What GitLab documents of a job, as far as the example uses it. */
const GitLabJob = z.strictObject({
  image: z.string(),
  resource_group: z.string(),
  timeout: z.string().regex(/^\d+ (minutes|hours)$/),
  variables: z.record(z.string(), z.string()),
  cache: z.strictObject({
    key: z.string(),
    paths: z.array(z.string()),
    when: z.enum(["on_success", "on_failure", "always"]),
  }),
  script: z.array(z.string()),
  after_script: z.array(z.string()),
  artifacts: z.strictObject({
    when: z.enum(["on_success", "on_failure", "always"]),
    paths: z.array(z.string()),
    reports: z.strictObject({ junit: z.string() }),
  }),
});

const github = block("yaml", "runs-on:");
const gitlab = block("yaml", "resource_group:");
const jenkins = block("groovy", "pipeline {");

describe("the examples for pipelines", () => {
  test("are a workflow that GitHub accepts", async () => {
    // The package imports its schema in a form that Node 20 reads only with a loader.
    const parser: typeof import("@actions/workflow-parser") = await tsImport(
      "@actions/workflow-parser",
      import.meta.url,
    );
    const read = (content: string) =>
      parser
        .parseWorkflow({ name: "gate.yml", content }, new parser.NoOperationTraceWriter())
        .context.errors.getErrors();

    expect(read(github)).toEqual([]);
    expect(read(github.replace("run: npm ci", "runs: npm ci"))).not.toEqual([]);
  });

  test("give each attempt of a run on GitHub a ledger of its own, and the next one finds it", () => {
    const [restored, saved] = [...github.matchAll(/ key: (.+)$/gm)].map(([, key]) => key);
    const prefix = /restore-keys: (.+)$/m.exec(github)?.[1] ?? "";
    const keyOf = (run: number, attempt: number) =>
      saved
        ?.replace(/\$\{\{ github\.run_id }}/, `${run}`)
        .replace(/\$\{\{ github\.run_attempt }}/, `${attempt}`);
    const keys = [keyOf(7, 1), keyOf(7, 2), keyOf(8, 1)];

    expect(saved).toBe(restored);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key?.startsWith(prefix)).toBe(true);
  });

  test("are a job that GitLab accepts", () => {
    const jobs = Object.values(parse(gitlab)).map((job) => GitLabJob.safeParse(job).error?.issues);

    expect(jobs).toEqual([undefined]);
  });

  test.each([
    ["GitHub", github],
    ["GitLab", gitlab],
    ["Jenkins", jenkins],
  ])("set only variables of the suite, keep the ledger and run the gate: %s", (_, example) => {
    const set = [...example.matchAll(/^\s+([A-Z][A-Z_]+)(?::| =) /gm)].map(([, name]) => name);

    expect(set).toEqual(expect.arrayContaining(["BASE_URL", "TARGET_NAME"]));
    expect(variableNames).toEqual(expect.arrayContaining(set));
    expect(example).toMatch(/reports\/ledger|LEDGER_DIR/);
    expect(example).toMatch(/npm ci[\s\S]*\.\/conformance gate/);
  });

  test("are commands that a shell understands", () => {
    for (const [, script = ""] of readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm))
      expect(() => execFileSync("bash", ["-n"], { input: script })).not.toThrow();
  });
});

test("the Dockerfile has no mistake that its language server knows", () => {
  const file = fileOf("Dockerfile");

  expect(validate(file)).toEqual([]);
  expect(validate(file.replace("WORKDIR", "WORKDR"))).not.toEqual([]);
  expect(file).toMatch(/^USER node$/m);
  expect(file.indexOf("USER node")).toBeLessThan(file.indexOf("ENTRYPOINT"));
});
