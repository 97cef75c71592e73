import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { load } from "./main.ts";
import { requireShareable } from "./runners/prepare.ts";

test.each([
  ["no profile", ["transfers"], "--profile is missing"],
  [
    "an unknown workload",
    ["payrol", "--profile", "smoke"],
    "unknown workload: payrol (did you mean payroll?); expected one of everything, transactions, transfers, qr, card, dva, ndd, gateway, payroll, readers, safe",
  ],
  [
    "an unknown profile",
    ["run", "transfers", "--profile", "peak"],
    "expected one of smoke, average, stress, spike, soak, breakpoint, salary-day, flash-sale",
  ],
  ["an unknown client", ["qr", "--profile", "smoke", "--client", "hasty"], "patient, impatient"],
  ["an output that would get the key", ["qr", "--profile", "smoke", "--k6-out", "cloud"], "json, csv"],
  [
    "a workload and a mix",
    ["qr", "--profile", "smoke", "--mix", "m.json"],
    "workload qr and --mix m.json are both given",
  ],
  [
    "random arrivals in a closed profile",
    ["qr", "--profile", "smoke", "--arrivals", "poisson"],
    "choose another profile",
  ],
  ["a stray argument", ["qr", "transfers", "--profile", "smoke"], "unexpected argument transfers"],
  ["no runner", ["prepare", "qr", "--profile", "average", "--runners", "0"], "from 1 to 1000"],
  [
    "runners of a load from this machine",
    ["qr", "--profile", "average", "--runners", "2"],
    "Unknown option '--runners'",
  ],
  ["a merge without a folder", ["merge"], "usage: npm run load -- merge <run folder>"],
  ["a comparison without a candidate", ["compare", "reports/base"], "usage: npm run load -- compare <base>"],
  ["a search with a shape", ["breakpoint", "qr", "--profile", "average"], "Unknown option '--profile'"],
  ["noise that is no percentage", ["compare", "a", "b", "--noise", "much"], "must be a percentage"],
] as const)("the command line is refused with %s", async (_, argv, problem) => {
  const { code, stdout, stderr } = await invoke(load, argv);

  expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
  expect(stderr).toContain(problem);
});

test.each([
  [[], "Workload everything"],
  [["transfers"], "This run would move money: 98 transfers, 10,"],
  [["run", "readers"], "No money will move."],
])("a dry run of %j sends nothing, and says what it would send", async (workload, says) => {
  const { code, stdout, folder } = await invoke(load, [...workload, "--profile", "smoke", "--dry-run"]);

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(says) });
  expect(readdirSync(folder)).toEqual([]);
});

test("a run is prepared only for a deployment, and a closed profile only for one runner", () => {
  const target = { baseUrl: "https://sandbox.example.com", embedded: false };
  const profile = { name: "smoke", model: "closed", rate: 20, seconds: 6 } as const;

  expect(() => requireShareable({ target: { ...target, embedded: true }, profile }, 1)).toThrow(
    "prepare needs a deployment",
  );
  expect(() => requireShareable({ target, profile }, 2)).toThrow("choose another profile");
  expect(() => requireShareable({ target, profile }, 1)).not.toThrow();
});
