import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NOTICE } from "../../fixtures/engine/redaction/quarantine.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { expectEveryKindSearched, plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import type { LoadResult } from "../results/result.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { startLoad } from "../testing/load-command.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Runs a short load of transfers; one of its files shows the value of the variable that `leaked` names. */
async function runLoad(change: Readonly<Record<string, string>> = {}, leaked?: string) {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "100000000" };
  const short = { SETTLE_SECONDS: "0.2", RATE: "40", DURATION: "1500ms" };
  const variables: Record<string, string> = { ...sandbox.env, ...consent, ...short, ...change };
  const folder = temporaryFolder();
  const hook = leaked && plantLeak(folder, "reports/out/latest-load", variables[leaked] ?? "");
  const args = ["transfers", "--profile", "smoke"];
  const ended = await startLoad(args, { ...variables, ...hook }, folder).ended;
  return { ...ended, variables, folder };
}

test("a load run whose files show a secret keeps its verdict, and its folder goes under quarantine", async (context) => {
  await k6OrSkip(context);

  const { code, stdout, stderr, variables, folder } = await runLoad({}, "SECRET_KEY");

  const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
  const place = join(folder, "reports/out-quarantine", name);
  const result = JSON.parse(readFileSync(join(place, "result.json"), "utf8")) as LoadResult;
  expect({ code, outcome: result.outcome, problems: result.problems }).toEqual({
    code: 70,
    outcome: "passed",
    problems: [],
  });
  expect(stdout).toContain("PASSED (exit code 0)");
  expect(stdout).toContain(`Written to reports/out-quarantine/${name}`);
  expect(stderr).toContain("planted.txt shows the value of SECRET_KEY");
  expect(stderr).toContain(`under quarantine in reports/out-quarantine/${name}`);
  expect(existsSync(join(folder, "reports/out/latest-load"))).toBe(false);
  expect(statSync(place).mode & 0o077).toBe(0);
  expect(readFileSync(join(place, NOTICE), "utf8")).toContain("planted.txt");
  expect(expectEveryKindSearched(place, exampleTarget(variables).secrets).toSorted()).toEqual([
    "QUARANTINE.txt",
    "answers.log",
    "junit.xml",
    "k6.log",
    "k6/.js",
    "load.html",
    "planted.txt",
    "result.json",
    "run.json",
    "summary.md",
  ]);
});

test("a run with the account number of the example file passes, and its folder stays", async (context) => {
  await k6OrSkip(context);

  const { code, stdout, stderr, folder } = await runLoad({ ACCOUNT_NUMBER: "0123456789" });

  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("shows the value") });
  expect(stdout).toContain("PASSED (exit code 0)");
  expect(existsSync(join(folder, "reports/out-quarantine"))).toBe(false);
});

test("a run whose files show that account number goes under quarantine", async (context) => {
  await k6OrSkip(context);

  const { code, stderr } = await runLoad({ ACCOUNT_NUMBER: "0123456789" }, "ACCOUNT_NUMBER");

  expect(code).toBe(70);
  expect(stderr).toMatch(/^planted\.txt shows the value of ACCOUNT_NUMBER/m);
});
