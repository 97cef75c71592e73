import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verdictsIn } from "../../fixtures/testing/deployment.ts";
import { envFile } from "../../fixtures/testing/env-file.ts";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { listenRaw } from "../../fixtures/testing/listener.ts";
import { gate } from "./certify.ts";

const NARROW = ["--sandbox", "--select", "getProfile/accepted", "--seed", "1"];

test("gate --sandbox tests the embedded sandbox, whatever an env file says, and reports to the job on GitHub", async () => {
  const server = await listenRaw((socket) => socket.destroy());
  const ENV_FILE = envFile(`BASE_URL=${server.url}\nSECRET_KEY=${DEPLOYMENT.SECRET_KEY}\nMAX_PAYOUTS=1\n`);
  const github = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "summary.md" };

  const ended = await invoke(gate, NARROW, { ENV_FILE, ...github });

  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain(`--sandbox was given, so ${ENV_FILE} is not used`);
  expect(ended.stdout).toContain("not your deployment");
  expect(ended.stdout).toMatch(/^::stop-commands::(\S+)\n.*\n::\1::\n$/ms);
  expect(server.heard).toEqual([]);
  const file = verdictsIn(ended);
  expect(file).toMatchObject({ outcome: "not-fully-verified", target: { embedded: true } });
  expect(file.checks.map(({ id }) => id)).toEqual(["getProfile/accepted"]);
  const read = (path: string) => readFileSync(join(ended.folder, path), "utf8");
  expect(read("summary.md")).toBe(`${read("reports/out/latest/summary.md")}\n`);
});

test("gate compares with a baseline, and says what is worse and what was fixed", async () => {
  const { folder, ...first } = await invoke(gate, NARROW);
  const earlier = verdictsIn({ folder });
  const [known, vanished] = ["getProfile/accepted", "getProfile/gone"];
  const checks = earlier.checks.flatMap((check) => [
    { ...check, id: known, verdict: "fail" },
    { ...check, id: vanished },
  ]);
  const baseline = join(folder, "baseline.json");
  writeFileSync(baseline, JSON.stringify({ ...earlier, checks }));

  const second = await invoke(gate, [...NARROW, "--baseline", baseline]);

  expect([first.code, second.code]).toEqual([0, 1]);
  expect(second.stdout).toMatch(
    new RegExp(`New failures +1: ${vanished}\n +Fixed +1: ${known}\n +Known +0\n`),
  );
  expect(second.stdout).toContain(`1 new failure since the baseline of `);
});
