import { afterEach, expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { requireShareable } from "./runners/prepare.ts";

const own = process.argv;
afterEach(() => {
  process.argv = own;
});

function optionsFrom(...words: readonly string[]) {
  process.argv = ["node", "load", ...words];
  return readOptions();
}

test.each([
  ["no profile", ["transfers"], "--profile is missing"],
  [
    "an unknown workload",
    ["payrol", "--profile", "smoke"],
    "unknown workload: payrol (did you mean payroll?); expected one of everything, transactions, transfers, qr, card, dva, ndd, gateway, payroll, readers, safe",
  ],
  [
    "an unknown profile",
    ["transfers", "--profile", "peak"],
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
  ["a stray argument", ["qr", "transfers", "--profile", "smoke"], "unexpected argument: transfers"],
  ["no runner", ["prepare", "qr", "--profile", "average", "--runners", "0"], "from 1 to 1000"],
  [
    "runners of a load from this machine",
    ["qr", "--profile", "average", "--runners", "2"],
    "--runners belongs to prepare",
  ],
  ["a merge without a folder", ["merge"], "merge needs the folder of a prepared run"],
  [
    "a search with a shape",
    ["breakpoint", "qr", "--profile", "average"],
    "breakpoint has a shape of its own",
  ],
] as const)("the command line is refused with %s", (_, words, problem) => {
  expect(() => optionsFrom(...words)).toThrow(problem);
});

test("run is implied, and everything is the default workload", () => {
  expect(optionsFrom("--profile", "smoke")).toMatchObject({ workload: "everything", profile: "smoke" });
  expect(optionsFrom("prepare", "qr", "--profile", "average")).toMatchObject({ workload: "qr", runners: 1 });
  expect(optionsFrom("reconcile", "reports/out/x")).toEqual({ reconcile: "reports/out/x" });
  expect(optionsFrom("merge", "x", "1.log", "2.log")).toEqual({
    merge: { directory: "x", logs: ["1.log", "2.log"] },
  });
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
