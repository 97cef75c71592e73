import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLoad } from "../testing/load-command.ts";

test("a dry run sends nothing and says how much money the load would move", async () => {
  const { folder, ended } = startLoad(["transfers", "--profile", "smoke", "--dry-run"]);

  const { code, stdout } = await ended;

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/98 transfers, 10,\d{3}\.00 in total/),
  });
  expect(existsSync(join(folder, "reports"))).toBe(false);
});

test("a load that is refused exits with 2 and one line", async () => {
  const { code, stderr } = await startLoad(["transfers"]).ended;

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^--profile is missing.*\n$/) });
});
