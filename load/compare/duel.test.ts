import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dotenvLines } from "../../fixtures/sandbox/data/environment.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { deploymentUnderLoad, startLoad } from "../testing/load-command.ts";

const SHORT = { RATE: "40", DURATION: "1500ms" };

describe("npm run load -- duel", () => {
  test("loads two deployments in turns, and compares them", { timeout: 120_000 }, async (context) => {
    await k6OrSkip(context);
    const folder = temporaryFolder();
    const variables = await Promise.all([deploymentUnderLoad(), deploymentUnderLoad()]);
    for (const [index, name] of ["a", "b"].entries())
      writeFileSync(join(folder, `.env.${name}`), dotenvLines(variables[index] ?? {}));
    const args = ["duel", "qr", "--profile", "smoke", "--a", ".env.a", "--b", ".env.b", "--rounds", "2"];

    const { code, stdout, stderr } = await startLoad([...args, "--noise", "900"], SHORT, folder).ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/^Round .*/gm)).toEqual([
      "Round 1 of 2, a: passed",
      "Round 1 of 2, b: passed",
      "Round 2 of 2, b: passed",
      "Round 2 of 2, a: passed",
    ]);
    expect(stdout).toMatch(/createQrTransaction {2}p50 /);
    expect(stdout).toContain("NO WORSE (exit code 0)");
  });

  test("sends nothing if one of the two is not configured", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".env.a"), dotenvLines(await deploymentUnderLoad()));
    const args = ["duel", "qr", "--profile", "smoke", "--a", ".env.a", "--b", ".env.none"];

    const { code, stdout, stderr } = await startLoad(args, SHORT, folder).ended;

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(".env.none does not exist"),
    });
  });
});
