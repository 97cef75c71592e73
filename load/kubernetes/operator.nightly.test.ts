import { execFile } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { deployment, k6Path, latestFile, loadTest, resultIn, startLoad } from "../testing/load-command.ts";

type Objects = readonly [
  { readonly data: { readonly "archive.tar": string } },
  { readonly metadata: { readonly name: string }; readonly spec: { readonly args: readonly string[] } },
];

/** The command line that k6-operator 1.6 makes for one of two runners, without `--paused`. */
const commandOf = (runner: 1 | 2, args: readonly string[], archive: string, name: string) => [
  ...["run", "--quiet", `--execution-segment=${runner === 1 ? "0:1/2" : "1/2:1"}`],
  ...["--execution-segment-sequence=0,1/2,1", ...args, archive, "--address=127.0.0.1:0"],
  ...["--tag", `instance_id=${runner}`, "--tag", `testrun_name=${name}`],
];

loadTest("two runners, started as k6-operator starts them, send one run between them", async () => {
  const variables = { ...(await deployment()).variables, RATE: "60", DURATION: "3s" };
  const prepared = startLoad("prepare transfers --profile average --runners 2", variables);
  const { folder } = prepared;
  const { code, stdout, stderr } = await prepared.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [file = ""] = readdirSync(join(folder, "reports/runners")).filter((name) => name.endsWith(".yaml"));
  const documents = parseAllDocuments(readFileSync(join(folder, "reports/runners", file), "utf8"));
  const [secret, testRun] = documents.map((one) => one.toJS() as unknown) as unknown as Objects;
  const archive = join(folder, "archive.tar");
  writeFileSync(archive, secret.data["archive.tar"], "base64");

  const logs = await Promise.all(
    ([1, 2] as const).map(async (runner) => {
      const command = commandOf(runner, testRun.spec.args, archive, testRun.metadata.name);
      const env = { PATH: process.env.PATH ?? "", HOME: folder };
      const ended = await promisify(execFile)(k6Path, command, { cwd: folder, env });
      const log = join(folder, `${runner}.log`);
      // A cluster has one log for both streams.
      writeFileSync(log, `${ended.stdout}${ended.stderr}`);
      return log;
    }),
  );
  const run = realpathSync(latestFile(folder, ""));
  const merged = await startLoad(["merge", run, ...logs].join(" "), variables, folder).ended;

  // A busy machine may start a few of so few requests late.
  if (merged.code === 4) expect(merged.stdout).toMatch(/requests too late|too slow for this rate/);
  else expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: "" });
  expect(merged.stdout).toContain("Merged from the logs of 2 runners.");
  const { measured, money, runId } = resultIn(folder);
  expect(measured?.operations.createTransfer?.outcomes).toEqual({ accepted: 144 });
  expect(money.kept.count).toBe(146);
  expect(stdout).toMatch(/runner 1 of 2: at most 54 payments, .*\n {2}runner 2 of 2: at most 90 payments/);
  // The README explains the lines that the command prints; the example there has four runners.
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const general = stdout
    .replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, "<run folder>")
    .replaceAll(runId, "<run id>")
    .replace("in 1 2;", "in 1 2 3 4;");
  const lines = general.split("\n").filter((line) => /^ {2}(kubectl|for|npm) /.test(line));
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(readme).toContain(`   ${line.trim()}\n`);
});
