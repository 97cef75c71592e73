import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { k6OrSkip } from "../testing/k6-present.ts";
import { deploymentUnderLoad, startLoad } from "../testing/load-command.ts";

describe("npm run load, where no load begins", () => {
  test("sends nothing in a dry run and says how much money it would move", async () => {
    const { folder, ended } = startLoad(["transfers", "--profile", "smoke", "--dry-run"]);

    const { code, stdout } = await ended;

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/98 transfers, 10,\d{3}\.00 in total/),
    });
    expect(existsSync(join(folder, "reports"))).toBe(false);
  });

  test.each([
    ["without a profile", [], {}, "--profile is missing"],
    [
      "with an unknown workload",
      ["payrol", "--profile", "smoke"],
      {},
      "unknown workload: payrol (did you mean payroll?); expected one of everything, transactions, transfers, qr, card, dva, ndd, gateway, payroll, readers, safe",
    ],
    [
      "with an unknown profile",
      ["transfers", "--profile", "peak"],
      {},
      "expected one of smoke, average, stress, spike, soak, breakpoint, salary-day, flash-sale",
    ],
    ["with an unknown client", ["qr", "--profile", "smoke", "--client", "hasty"], {}, "patient, impatient"],
    [
      "with an output that would get the key",
      ["qr", "--profile", "smoke", "--k6-out", "cloud"],
      {},
      "json, csv",
    ],
    [
      "with a workload and a mix",
      ["qr", "--profile", "smoke", "--mix", "m.json"],
      {},
      "workload qr and --mix m.json are both given",
    ],
    [
      "with random arrivals in a closed profile",
      ["qr", "--profile", "smoke", "--arrivals", "poisson"],
      {},
      "choose another profile",
    ],
    [
      "with a stray argument",
      ["qr", "transfers", "--profile", "smoke"],
      {},
      "unexpected argument: transfers",
    ],
    ["if npm took the option", ["transfers"], { npm_config_dry_run: "true" }, "npm run load -- --dry-run"],
    [
      "if the run is too short for its workload",
      ["transactions", "--profile", "smoke"],
      { DURATION: "50ms" },
      "raise RATE or DURATION",
    ],
  ])("exits with 2 and one line %s", async (_, args, variables, line) => {
    const { code, stderr } = await startLoad(args, variables).ended;

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("exits with 3 and one line if K6_PATH is not k6", async () => {
    const { code, stderr } = await startLoad(["transfers", "--profile", "smoke"], { K6_PATH: "/nowhere/k6" })
      .ended;

    expect({ code, lines: stderr.trim().split("\n") }).toEqual({
      code: 3,
      lines: [expect.stringContaining("K6_PATH /nowhere/k6")],
    });
  });

  test("exits with 3 before the load if the deployment rejects a transfer", async (context) => {
    await k6OrSkip(context);
    const variables = { ...(await deploymentUnderLoad()), BANK_CODE: "unknown" };

    const { code, stderr } = await startLoad(["transfers", "--profile", "smoke"], variables).ended;

    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("Check BANK_CODE") });
  });
});
