import { exec, execFile } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { parse } from "yaml";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import type { LoadRun } from "../results/result.ts";
import {
  deployment,
  k6Path,
  latestFile,
  latestText,
  loadTest,
  resultIn,
  startLoad,
} from "../testing/load-command.ts";

interface TestRun {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly args: readonly string[] };
}

/** The command line that k6-operator 1.6 makes for one of two runners, without `--paused`. */
const commandOf = (runner: 1 | 2, args: readonly string[], archive: string, name: string) => [
  ...["run", "--quiet", `--execution-segment=${runner === 1 ? "0:1/2" : "1/2:1"}`],
  ...["--execution-segment-sequence=0,1/2,1", ...args, archive, "--address=127.0.0.1:0"],
  ...["--tag", `instance_id=${runner}`, "--tag", `testrun_name=${name}`],
];

const TWO_RUNNERS = "prepare transfers --profile average --runners 2";

loadTest("two runners, started as k6-operator starts them, send one run between them", async () => {
  const target = { ...(await deployment()).variables, RATE: "60", DURATION: "3s" };
  const prepared = startLoad(TWO_RUNNERS, target);
  const { folder } = prepared;
  const { code, stdout, stderr } = await prepared.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { runId: id } = JSON.parse(latestText(folder, "run.json")) as LoadRun;
  const archive = join(folder, `reports/runners/load-${id}.tar`);
  const [variables = ""] = /run=.*/.exec(stdout) ?? [];
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const [sed = ""] = /sed ".+?" \S+/.exec(readme) ?? [];
  const manifest = await promisify(exec)(`${variables}; ${sed}`, { cwd: PROJECT_ROOT });
  const testRun = parse(manifest.stdout) as TestRun;
  expect(testRun).toMatchObject({
    metadata: { name: `load-${id}` },
    spec: { parallelism: 2, runner: { volumes: [{ secret: { secretName: `load-${id}` } }] } },
  });

  const logs = await Promise.all(
    ([1, 2] as const).map(async (runner) => {
      // As the README says, further outputs of k6 are further arguments.
      const args = [...testRun.spec.args, "--out", "json=metrics.json"];
      const command = commandOf(runner, args, archive, testRun.metadata.name);
      const env = { PATH: process.env.PATH ?? "", HOME: folder };
      const cwd = join(folder, `${runner}`);
      mkdirSync(cwd);
      const ended = await promisify(execFile)(k6Path, command, { cwd, env });
      // A cluster has one log for both streams, which may be fetched in parts, and again.
      const text = `${ended.stdout}${ended.stderr}`;
      const [followed, again] = [join(folder, `${runner}.log`), join(folder, `${runner}-again.log`)];
      writeFileSync(followed, text.slice(0, text.length * 0.8));
      writeFileSync(again, text.split("\n").slice(9).join("\n"));
      const [sample] = readFileSync(join(cwd, "metrics.json"), "utf8")
        .split("\n")
        .filter((line) => line.includes('"Point"'));
      const tags = { instance_id: `${runner}`, testrun_name: `load-${id}` };
      expect(JSON.parse(sample ?? "")).toMatchObject({ data: { tags } });
      return [followed, again];
    }),
  );
  const run = realpathSync(latestFile(folder, ""));
  const merged = await startLoad(["merge", run, ...logs.flat()], target, folder).ended;

  // A busy machine may start a few of so few requests late.
  if (merged.code === 4) expect(merged.stdout).toMatch(/requests too late|too slow for this rate/);
  else expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: "" });
  expect(merged.stdout).toContain("Merged from the logs of 2 runners.");
  const { measured, money } = resultIn(folder);
  expect(measured?.operations.createTransfer?.outcomes).toEqual({ accepted: 144 });
  expect(money.kept.count).toBe(146);
  expect(stdout).toMatch(/The ledger holds 146 transfers, .* until the logs of the runners are merged/);
});
