import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NOTICE } from "../../fixtures/redaction/quarantine.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { expectEveryKindSearched, plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import type { LoadResult } from "../results/result.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { startLoad } from "../testing/load-command.ts";

vi.setConfig({ testTimeout: 60_000 });

test("a load run whose files show a secret keeps its verdict, and its folder goes under quarantine", async (context) => {
  await k6OrSkip(context);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "100000000" };
  const short = { SETTLE_SECONDS: "0.2", RATE: "40", DURATION: "1500ms" };
  const variables = { ...sandbox.env, ...consent, ...short };
  const folder = temporaryFolder();
  const hook = plantLeak(folder, "reports/out/latest-load", sandbox.env.SECRET_KEY ?? "");
  const args = ["transfers", "--profile", "smoke"];

  const { code, stdout, stderr } = await startLoad(args, { ...variables, ...hook }, folder).ended;

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
