import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { everyNth } from "../../fixtures/sandbox/points/conditions.ts";
import type { Points } from "../../fixtures/sandbox/points/points.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import type { LoadRun } from "../results/result.ts";
import {
  deployment,
  faultCalled,
  invariantsIn,
  invokeLoad,
  k6Path,
  latestFile,
  latestText,
  ledgerIn,
  loadDeployment,
  loadTest,
  resultIn,
  SHORT,
  startLoad,
  textIn,
  untilTrue,
} from "../testing/load-command.ts";

const TRANSFERS = "transfers --profile smoke";

/** Expects that a text shows none of the secrets among some variables. */
function expectNoSecret(text: string, variables: Readonly<Record<string, string>>) {
  for (const name of ["SECRET_KEY", "CARD_NUMBER", "ACCOUNT_NUMBER"])
    expect(text).not.toContain(variables[name]);
}

describe("npm run load", () => {
  loadTest("looks up every reference, writes every report, and no secret anywhere", async () => {
    // A log has many numbers, and a digit sequence such as this one must not be among them.
    const { code, stdout, stderr, folder, result, variables } = await loadDeployment(TRANSFERS, {
      ACCOUNT_NUMBER: "0123456789",
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/createTransfer +48 +48 +0 +0 +0 +0 +0 +\d+\.\d +\d+\.\d /);
    expect(result).toMatchObject({ schema: "payments-conformance/load@3", exitCode: 0, reconciled: 44 });
    // The sandbox rejects no transfer and answers each.
    expect(invariantsIn(result, "unjudged")).toEqual(["L5", "L6"]);
    expect(invariantsIn(result, "held")).toHaveLength(10);
    expect(latestText(folder, "load.html")).toContain("<h1>Passed under load</h1>");
    expectNoSecret(`${textIn(folder)}${stdout}`, variables);
  });

  loadTest("fails a deployment that pays repeats twice and rejects one valid transfer in four", async () => {
    const isRejected = everyNth(4);
    const refusal = { status: 400, headers: {}, body: { status: "error", message: "try later" } };
    const gate: Points["gate"] = (reply, { call }) =>
      call.requestId.includes("-load.") && isRejected(call) ? refusal : reply;
    const rejecting = { id: "rejecting", on: ["createTransfer"] as const, points: { gate } };
    const { variables } = await deployment([faultCalled("createTransfer/paid-twice"), rejecting]);

    const { code, stdout, folder } = await invokeLoad(TRANSFERS, { ...variables, ...SHORT });

    const { invariants, measured } = resultIn(folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED.*L2 \(no reference is paid twice\)/);
    expect(invariants.find(({ id }) => id === "L2")?.references.length).toBeGreaterThan(0);
    const missed = measured?.thresholds.flatMap(({ ok, text }) => (ok ? [] : [text]));
    expect(missed).toEqual([
      expect.stringMatching(/^\d+ of \d+ createTransfer requests were rejected, although they were valid/),
    ]);
  });

  loadTest(
    "ends with its launcher, pays nothing that the ledger does not hold, and can be reconciled",
    async ({ skip }) => {
      if (process.platform === "win32") skip("Windows has no SIGKILL");
      const { sandbox, variables: consent } = await deployment();
      // Room for exactly one run of a minute.
      const variables = { ...consent, MAX_PAYOUTS: "1000", RATE: "20", DURATION: "60s" };
      // Without a response, a transfer may be paid; the preflight sends one without a body.
      const isPaid = ({ operation, status = 200 }: (typeof sandbox.log)[number]) =>
        operation === "createTransfer" && status < 300;
      const paid = () => sandbox.log.filter(isPaid).length;
      const killed = startLoad(TRANSFERS, variables);
      await untilTrue(() => paid() > 20);

      killed.process.kill("SIGKILL");
      await killed.ended;
      const atKill = paid();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const atRest = paid();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const held = ledgerIn(killed.folder).match(/"type":"reserve"/g)?.length ?? 0;
      const again = await invokeLoad(TRANSFERS, variables, killed.folder);
      const runs = readdirSync(join(killed.folder, "reports/out"));
      const reconciled = await invokeLoad("reconcile reports/out/latest-load", variables, killed.folder);

      expect(atRest - atKill).toBeLessThan(40);
      expect(paid()).toBe(atRest);
      expect(held).toBeGreaterThanOrEqual(paid());
      // What the killed run reserved leaves no room for another one, until it is reconciled.
      const refusal = expect.stringMatching(/earlier runs that were never closed/);
      expect(again).toMatchObject({ code: 3, stderr: refusal });
      // A refused run leaves nothing: the newest run is still the killed one.
      expect(runs).toHaveLength(2);
      const lookedUp =
        /createTransfer +\d\d[\s\S]*transfer references looked up[\s\S]*Reconciled, and closed in the ledger/;
      expect(reconciled).toMatchObject({ code: 0, stdout: expect.stringMatching(lookedUp) });
    },
  );
});

/** A k6 that does not find the address of the target. */
const LOST_K6 = `#!/bin/sh
[ "$1" = version ] && echo "k6 v2.2.0" && exit
while [ "$1" != --console-output ]; do shift; done
echo '["unreached","lookup: no such host"]' > "$2"; exit 108
`;

test.skipIf(process.platform === "win32")("a load is undecided if k6 cannot reach the target", async () => {
  const { variables } = await deployment();
  const K6_PATH = join(temporaryFolder(), "k6");
  writeFileSync(K6_PATH, LOST_K6, { mode: 0o700 });

  const { code, stdout } = await invokeLoad(TRANSFERS, { ...variables, ...SHORT, K6_PATH });

  expect({ code, stdout }).toEqual({
    code: 4,
    stdout: expect.stringMatching(/could not reach.*\/etc\/hosts/),
  });
});

/** The lines of load/README.md that prepare a run, send it with k6 alone, and merge its log. */
function linesOfReadme(): string[] {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [block = ""] = /npm run load -- prepare transfers [^`]+/.exec(readme) ?? [];
  const lines = block.trim().split("\n");
  return lines.map((line) =>
    line
      .replace(/ +#.*$/, "")
      .replace(/^(npm run load --|k6) /, "")
      .replaceAll('"', ""),
  );
}

loadTest("k6 sends a prepared run alone, as the README says, and merge judges it", async () => {
  const variables: Record<string, string> = { ...(await deployment()).variables, RATE: "60", DURATION: "3s" };
  const [prepare = "", send = "", merge = "", ...others] = linesOfReadme();
  expect(others).toEqual([]);

  const { code, stdout, stderr, folder } = await invokeLoad(prepare, variables);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { runId } = JSON.parse(latestText(folder, "run.json")) as LoadRun;
  const [, run = "", path = ""] = /^ {2}run=(\S+) folder=(\S+) runners=1$/m.exec(stdout) ?? [];
  const named = (line: string) => line.replaceAll("$run", run).replaceAll("$folder", path);
  // Only files for their owner hold the key, and they lie outside the folder of the run.
  const archive = join(folder, `reports/runners/load-${runId}.tar`);
  if (process.platform !== "win32") expect(statSync(archive).mode & 0o777).toBe(0o600);
  expect(readFileSync(archive, "latin1")).toContain(variables.SECRET_KEY);
  expectNoSecret(`${stdout}${textIn(latestFile(folder, ""))}`, variables);

  const environment = { PATH: process.env.PATH ?? "", HOME: folder };
  await promisify(execFile)(k6Path, named(send).split(" "), { cwd: folder, env: environment });

  const log = join(folder, `load-${runId}.log`);
  writeFileSync(join(folder, "torn.log"), readFileSync(log, "utf8").slice(0, 4000));
  const torn = await invokeLoad(`merge ${latestFile(folder, "")} torn.log`, variables, folder);
  const gap = expect.stringMatching(/no last line.*\nThere is no verdict: .*\n$/s);
  expect(torn).toMatchObject({ code: 4, stdout: "", stderr: gap });
  expect(existsSync(latestFile(folder, "result.json"))).toBe(false);

  const merged = await invokeLoad(named(merge), variables, folder);

  // A busy machine may start a few of so few requests late.
  if (merged.code === 4) expect(merged.stdout).toMatch(/requests too late|too slow for this rate/);
  else expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: "" });
  const { measured, money, reconciled, invariants } = resultIn(folder);
  expect(measured?.operations.createTransfer?.outcomes).toEqual({ accepted: 144 });
  expect({ reconciled, kept: money.kept.count }).toEqual({ reconciled: 128, kept: 146 });
  expect(invariants.filter(({ state }) => state !== "held" && state !== "unjudged")).toEqual([]);
  expect(existsSync(archive)).toBe(false);
});

loadTest(
  "a prepared run that nobody sent is given up: its runners are deleted first, and it ends with 0",
  async () => {
    const variables: Record<string, string> = {
      ...(await deployment()).variables,
      RATE: "60",
      DURATION: "3s",
    };
    const { stdout, folder } = await invokeLoad("prepare transfers --profile average", variables);
    const { runId } = JSON.parse(latestText(folder, "run.json")) as LoadRun;

    writeFileSync(join(folder, "empty.log"), "");
    const incomplete = await invokeLoad(`merge ${latestFile(folder, "")} empty.log`, variables, folder);
    const givenUp = await invokeLoad(`reconcile ${latestFile(folder, "")}`, variables, folder);

    const deletion = `kubectl delete testrun,secret load-${runId}`;
    const given = `${deletion}, and wait .*npm run load -- reconcile \\S+\n$`;
    const afterDeletion = expect.stringMatching(new RegExp(given));
    expect(stdout).toEqual(afterDeletion);
    expect(incomplete).toMatchObject({ code: 4, stderr: afterDeletion });
    expect(givenUp).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`${deletion}\n`) });
    const { invariants } = resultIn(folder);
    expect(invariants.filter(({ state }) => state !== "held" && state !== "unjudged")).toEqual([]);
  },
);
