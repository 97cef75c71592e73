import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NOTICE } from "../../fixtures/engine/redaction/quarantine.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { expectEveryKindSearched, plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { consented } from "../testing/consented.ts";
import { start } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The variables for a run that shows its key, and the folder for that run. */
async function leaking(change: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const variables: Record<string, string> = { ...consented(sandbox.env), ...change };
  const folder = temporaryFolder();
  const hook = plantLeak(folder, "reports/out/latest", variables.SECRET_KEY ?? "");
  return { variables: { ...variables, ...hook }, folder };
}

test("a run whose files show a secret keeps its verdict, and its folder goes under quarantine", async () => {
  const { variables, folder } = await leaking();
  const args = ["--select", "createTransfer/accepted,listTransfers/accepted"];

  const { code, stdout, stderr } = await start("certify", args, variables, folder).ended;

  const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
  const place = join(folder, "reports/out-quarantine", name);
  const file = JSON.parse(readFileSync(join(place, "verdicts.json"), "utf8")) as Verdicts;
  expect({ code, problems: file.problems }).toEqual({ code: 70, problems: [] });
  expect(file.checks.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThanOrEqual(2);
  expect(stdout).toContain("NOT FULLY VERIFIED");
  expect(stderr).toContain("planted.txt shows the value of SECRET_KEY");
  expect(stderr).toContain(`under quarantine in reports/out-quarantine/${name}`);
  expect(existsSync(join(folder, "reports/out/latest"))).toBe(false);
  expect(statSync(place).mode & 0o077).toBe(0);
  expect(readFileSync(join(place, NOTICE), "utf8")).toContain("planted.txt");
  expect(expectEveryKindSearched(place, exampleTarget(variables).secrets).length).toBeGreaterThan(8);
});

test("the folder of a run that was refused goes under quarantine too", async () => {
  const { variables, folder } = await leaking({ SECRET_KEY: "sk_test_never0issued1never2issued3" });

  const { code, stderr } = await start("certify", [], variables, folder).ended;

  const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
  expect({ code, stderr }).toEqual({
    code: 70,
    stderr: expect.stringMatching(/accepts SECRET_KEY: .*\nplanted\.txt shows the value of SECRET_KEY/),
  });
  expect(existsSync(join(folder, "reports/out-quarantine", name, "verdicts.json"))).toBe(true);
});
