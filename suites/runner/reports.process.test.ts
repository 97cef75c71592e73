import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execute } from "../testing/spawned.ts";

const NARROW = ["--sandbox", "--select", "getProfile/accepted", "--seed", "1"];

describe("npm run gate", () => {
  test("writes the job's summary and annotates on GitHub", async () => {
    const { code, folder, stdout } = await execute("gate", NARROW, {
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: "summary.md",
    });

    const summary = readFileSync(join(folder, "summary.md"), "utf8");
    expect(code).toBe(0);
    expect(summary).toBe(`${readFileSync(join(folder, "reports/out/latest/summary.md"), "utf8")}\n`);
    expect(stdout).toMatch(/^::stop-commands::(\S+)\n.*\n::\1::\n$/ms);
  });

  test("compares with a baseline, and says what is worse and what was fixed", async () => {
    const first = await execute("gate", NARROW);
    const file = join(first.folder, "baseline.json");
    const verdicts = readFileSync(join(first.folder, "reports/out/latest/verdicts.json"), "utf8");
    const [known, vanished] = ["getProfile/accepted", "getProfile/gone"];
    const earlier = JSON.parse(verdicts);
    const [check] = earlier.checks;
    earlier.checks = [
      { ...check, id: known, verdict: "fail" },
      { ...check, id: vanished },
    ];
    writeFileSync(file, JSON.stringify(earlier));

    const second = await execute("gate", [...NARROW, "--baseline", file]);

    expect(first.code).toBe(0);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain(`0 known.\n  new: ${vanished}\n  fixed: ${known}`);
    expect(second.stdout).toContain(`1 new failure since the baseline of `);
  });

  test("refuses a baseline that it cannot read before it sends anything, and certify refuses any", async () => {
    const missing = await execute("gate", [...NARROW, "--baseline", "does/not/exist.json"]);
    const certify = await execute("certify", ["--baseline", "verdicts.json"]);

    expect(missing).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^does\/not\/exist\.json cannot be read/),
    });
    expect(certify).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("npm run gate -- --baseline verdicts.json"),
    });
  });
});
