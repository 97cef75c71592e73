import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { K6 } from "../../generator/binary.ts";
import type { LoadResult } from "../../results/result.ts";
import { k6OrSkip } from "../../testing/k6-present.ts";
import { deploymentUnderLoad, latestFile, resultIn, startLoad } from "../../testing/load-command.ts";
import { readManifest, runRunners } from "../../testing/operator.ts";

const LONG = { timeout: 120_000 };
/** 180 requests: three cycles of the transfer mix. */
const SCHEDULE = { RATE: "60", DURATION: "3s" };
/** A deployment that is never asked. */
const ELSEWHERE = { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "sk_test_0123456789abcdef" };
const LOAD = ["transfers", "--profile", "average"];

/** Prepares a run, runs its runners, and returns where their logs are. */
async function distributed(k6: K6, runners: number, variables: Readonly<Record<string, string>>) {
  const prepared = startLoad(["prepare", ...LOAD, "--runners", String(runners)], variables);
  const { folder } = prepared;
  const { code, stdout, stderr } = await prepared.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [file = ""] = readdirSync(join(folder, "reports/runners"));
  const manifest = join(folder, "reports/runners", file);
  const settings = readManifest(manifest).settings.variables;
  const run = realpathSync(latestFile(folder, ""));
  const pods = join(folder, "pods");
  mkdirSync(pods);
  const logs = await runRunners(manifest, k6, pods);
  const merge = (...given: string[]) => startLoad(["merge", run, ...given], variables, folder).ended;
  return { folder, manifest, stdout, run, logs, merge, settings };
}

/** What a run logged, by iteration, without what is different in every run. */
function requestsIn(folder: string): string[] {
  const { runId } = resultIn(folder);
  const lines = readFileSync(latestFile(folder, "answers.log"), "utf8").trim().split("\n");
  return lines
    .map((line) => JSON.parse(line) as [string, string | null, string, number, unknown, number[]])
    .filter(({ length }) => length === 6)
    .map(([operation, reference, outcome, , , timing]) =>
      [String(timing[0]).padStart(4, "0"), operation, reference?.replace(runId, ""), outcome].join(" "),
    )
    .toSorted();
}

const countsIn = ({ measured }: LoadResult) =>
  Object.fromEntries(
    Object.entries(measured?.operations ?? {}).map(([name, { planned, requests, outcomes }]) => [
      name,
      { planned, requests, outcomes },
    ]),
  );

/** A busy machine may start a few of so few requests late. */
function expectPassed({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  if (code === 4) expect(stdout).toMatch(/requests too late|too slow for this rate/);
  else expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

describe("a load from several runners", () => {
  test.for([2, 4])("is the same as from one: %i runners", LONG, async (runners, context) => {
    const k6 = await k6OrSkip(context);
    const variables: Record<string, string> = { ...(await deploymentUnderLoad()), ...SCHEDULE };
    const alone = startLoad(LOAD, variables);
    expectPassed(await alone.ended);

    const { folder, manifest, stdout, logs, merge } = await distributed(k6, runners, variables);
    const merged = await merge(...logs);

    expectPassed(merged);
    expect(merged.stdout).toContain(`Merged from the logs of ${runners} runners.`);
    expect(requestsIn(folder)).toEqual(requestsIn(alone.folder));
    const [one, all] = [resultIn(alone.folder), resultIn(folder)];
    expect(countsIn(all)).toEqual(countsIn(one));
    const { runners: named, reconciled, invariants, money } = all;
    expect({ named, reconciled, money }).toEqual({
      named: runners,
      reconciled: one.reconciled,
      money: one.money,
    });
    expect(invariants.map(({ id, state }) => `${id} ${state}`)).toEqual(
      one.invariants.map(({ id, state }) => `${id} ${state}`),
    );
    const shares = [...stdout.matchAll(/runner \d of \d: at most (\d+) payments/g)].map(([, count]) =>
      Number(count),
    );
    expect([shares.length, shares.reduce((sum, share) => sum + share, 2)]).toEqual([
      runners,
      money.planned.count,
    ]);
    expect(existsSync(manifest)).toBe(false);
  });

  test(
    "gets no verdict while a log is missing or foreign, and keeps its money reserved",
    LONG,
    async (context) => {
      const k6 = await k6OrSkip(context);
      const variables = { ...(await deploymentUnderLoad()), ...SCHEDULE, MAX_PAYOUTS: "200" };
      const { folder, run, logs, merge } = await distributed(k6, 2, variables);
      const [first = "", second = ""] = logs;
      const torn = join(folder, "torn.log");
      writeFileSync(torn, readFileSync(second, "utf8").slice(0, 4000));

      expect(await merge(first)).toMatchObject({
        code: 4,
        stdout: "",
        stderr: expect.stringMatching(/^runner 2 of 2: its log is missing\nThere is no verdict: /),
      });
      expect(await merge(first, torn)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("no last line"),
      });
      expect(await merge(first, second, first)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("repeats the log of runner 1"),
      });
      expect(await merge()).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs the logs/) });
      expect(await merge(join(folder, "none"))).toMatchObject({ code: 2 });
      // What the prepared run has reserved leaves no room for another one.
      expect(await startLoad(LOAD, variables, folder).ended).toMatchObject({ code: 3 });
      expect(existsSync(join(run, "result.json"))).toBe(false);

      // What was read last is looked up if the run is given up.
      expect(await merge(first)).toMatchObject({ code: 4 });
      const given = await startLoad(["reconcile", run], variables, folder).ended;
      expect({ code: given.code, stderr: given.stderr }).toEqual({ code: 0, stderr: "" });
      expect(given.stdout).toMatch(/createTransfer +\d\d/);
      expect(await merge(first, second)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("a result already"),
      });
    },
  );

  test("fails a deployment that loses a payout under load", LONG, async (context) => {
    const k6 = await k6OrSkip(context);
    const variables = { ...(await deploymentUnderLoad("under-load/lost")), RATE: "300", DURATION: "4s" };
    const { folder, logs, merge } = await distributed(k6, 3, variables);

    const { code, stdout } = await merge(...logs);

    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/FAILED .*L1 \(/) });
    expect(resultIn(folder).invariants.find(({ id }) => id === "L1")?.references.length).toBeGreaterThan(0);
  });

  test(
    "leaves the key in one private file, and not in the scripts or the run's folder",
    LONG,
    async (context) => {
      const k6 = await k6OrSkip(context);
      const variables: Record<string, string> = { ...(await deploymentUnderLoad()), ...SCHEDULE };
      const { folder, ended } = startLoad(["prepare", ...LOAD, "--runners", "4"], variables);
      const { code, stdout } = await ended;

      expect({ code, k6: k6.version }).toMatchObject({ code: 0 });
      const [file = ""] = readdirSync(join(folder, "reports/runners"));
      const path = join(folder, "reports/runners", file);
      const { testRun, scripts, settings } = readManifest(path);
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
      const key = variables.SECRET_KEY ?? "";
      expect(settings.variables.SETTINGS).toContain(key);
      const files = readdirSync(latestFile(folder, ""), { withFileTypes: true }).filter((one) =>
        one.isFile(),
      );
      const written = files.map(({ name }) => readFileSync(latestFile(folder, name), "utf8"));
      const archive = scripts.files.get("archive.tar")?.toString("latin1") ?? "";
      for (const name of ["SECRET_KEY", "ACCOUNT_NUMBER"])
        expect(`${stdout}${archive}${written.join("\n")}`).not.toContain(variables[name]);
      // What refers to each other has the same name, and a cluster takes its size.
      const { runId, runners } = JSON.parse(
        readFileSync(latestFile(folder, "run.json"), "utf8"),
      ) as LoadResult;
      const { spec, metadata } = testRun;
      expect(
        new Set([
          metadata.name,
          scripts.name,
          settings.name,
          spec.script.configMap.name,
          spec.runner.envFrom[0].secretRef.name,
        ]),
      ).toEqual(new Set([`load-${runId}`]));
      expect([spec.parallelism, runners]).toEqual([4, 4]);
      // The README explains the lines that the command prints.
      const readme = readFileSync(new URL("../../kubernetes/README.md", import.meta.url), "utf8");
      const general = stdout
        .replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, "<run folder>")
        .replaceAll(runId, "<run id>");
      const commands = general.split("\n").filter((line) => /^ {2}(kubectl|for|npm) /.test(line));
      expect(commands).toHaveLength(4);
      for (const command of commands) expect(readme).toContain(`   ${command.trim()}\n`);
      expect(archive.length).toBeLessThan(700_000);
      for (const value of Object.values(settings.variables)) expect(value.length).toBeLessThan(128 * 1024);
    },
  );

  test.each([
    ["prepare", "without a deployment", ["average", "--runners", "2"], {}, "prepare needs a deployment"],
    ["prepare", "without a number of runners", ["average"], ELSEWHERE, "prepare needs --runners"],
    ["prepare", "for no runner", ["average", "--runners", "0"], ELSEWHERE, "from 1 to 1000"],
    [
      "prepare",
      "with a profile for one machine",
      ["smoke", "--runners", "2"],
      ELSEWHERE,
      "choose another profile",
    ],
    ["", "from this machine alone", ["average", "--runners", "2"], ELSEWHERE, "--runners belongs to prepare"],
  ])("is refused: %s %s", async (command, _, [profile = "", ...args], variables, line) => {
    const load = [...(command ? [command] : []), "transfers", "--profile", profile, ...args];

    const { code, stderr } = await startLoad(load, variables).ended;

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) });
  });
});
