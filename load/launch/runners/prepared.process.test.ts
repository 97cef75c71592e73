import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { LoadRun } from "../../results/result.ts";
import {
  deployment,
  invariantsIn,
  k6OrSkip,
  latestFile,
  resultIn,
  startLoad,
} from "../../testing/load-command.ts";

/** The lines of load/README.md that prepare a run, send it with k6 alone, and merge its log. */
function linesOfReadme(): string[] {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [block = ""] = /npm run load -- prepare transfers [^`]+/.exec(readme) ?? [];
  return block
    .trim()
    .split("\n")
    .map((line) => line.replace(/ +#.*$/, ""));
}

test("k6 sends a prepared run alone, as the README says, and merge judges it", async (context) => {
  const { path } = await k6OrSkip(context);
  const deployed = await deployment();
  const variables: Record<string, string> = { ...deployed.variables, RATE: "60", DURATION: "3s" };
  const [prepare = "", send = "", merge = "", ...others] = linesOfReadme();
  expect(others).toEqual([]);
  const argumentsOf = (line: string) => line.replace(/^(npm run load --|k6) /, "").split(" ");

  const prepared = startLoad(argumentsOf(prepare), variables);
  const { folder } = prepared;
  const { code, stdout, stderr } = await prepared.ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const run = JSON.parse(readFileSync(latestFile(folder, "run.json"), "utf8")) as LoadRun;
  const [runFolder = ""] = readdirSync(join(folder, "reports/out")).filter((name) =>
    name.endsWith(run.runId),
  );
  const named = (line: string) =>
    line.replaceAll("<run id>", run.runId).replaceAll("<run folder>", runFolder);
  for (const line of [send, merge]) expect(stdout).toContain(`  ${named(line)}\n`);
  // Only files for their owner hold the key, and they lie outside the folder of the run.
  const archive = join(folder, `reports/runners/load-${run.runId}.tar`);
  if (process.platform !== "win32") expect(statSync(archive).mode & 0o777).toBe(0o600);
  expect(readFileSync(archive, "latin1")).toContain(variables.SECRET_KEY);
  const files = readdirSync(latestFile(folder, ""), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const written = files
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
  for (const name of ["SECRET_KEY", "ACCOUNT_NUMBER"])
    expect(`${stdout}${written}`).not.toContain(variables[name]);

  const environment = { PATH: process.env.PATH ?? "", HOME: folder };
  await promisify(execFile)(path, argumentsOf(named(send)), { cwd: folder, env: environment });

  const log = join(folder, `load-${run.runId}.log`);
  writeFileSync(join(folder, "torn.log"), readFileSync(log, "utf8").slice(0, 4000));
  const torn = await startLoad(["merge", latestFile(folder, ""), "torn.log"], variables, folder).ended;
  expect(torn).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringMatching(/no last line.*\nThere is no verdict: .*\n$/s),
  });
  expect(existsSync(latestFile(folder, "result.json"))).toBe(false);

  const merged = await startLoad(argumentsOf(named(merge)), variables, folder).ended;

  // A busy machine may start a few of so few requests late.
  if (merged.code === 4) expect(merged.stdout).toMatch(/requests too late|too slow for this rate/);
  else expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: "" });
  const result = resultIn(folder);
  const { measured, money, reconciled } = result;
  expect(measured?.operations.createTransfer?.outcomes).toEqual({ accepted: 144 });
  expect({ reconciled, kept: money.kept.count }).toEqual({ reconciled: 128, kept: 146 });
  for (const state of ["broken", "undecided", "warned"]) expect(invariantsIn(result, state)).toEqual([]);
  expect(existsSync(archive)).toBe(false);
});
