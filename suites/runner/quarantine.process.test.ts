import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOTICE } from "../../fixtures/engine/redaction/leaks.ts";
import { deploy } from "../../fixtures/testing/deployment.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { expectEveryKindSearched, plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { certify } from "./certify.ts";

/** Runs checks of a deployment while the key appears in a file of the run, as a defect of the suite would show it. */
async function leaking(argv: readonly string[], change: Readonly<Record<string, string>> = {}) {
  const { env } = await deploy();
  const variables: Record<string, string> = { ...env, ...change };
  const folder = temporaryFolder();
  plantLeak(join(folder, "reports/out/latest"), variables.SECRET_KEY ?? "");
  return { ...(await invoke(certify, argv, variables, folder)), variables };
}

test("a run whose files show a secret keeps its verdict, and its folder goes under quarantine", async () => {
  const { code, stdout, stderr, folder, variables } = await leaking([
    "--select",
    "createTransfer/accepted,listTransfers/accepted",
  ]);

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
  const { code, stderr, folder } = await leaking([], { SECRET_KEY: "sk_test_never0issued1never2issued3" });

  const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
  expect({ code, stderr }).toEqual({
    code: 70,
    stderr: expect.stringMatching(/accepts SECRET_KEY: .*\nplanted\.txt shows the value of SECRET_KEY/),
  });
  expect(existsSync(join(folder, "reports/out-quarantine", name, "verdicts.json"))).toBe(true);
});
