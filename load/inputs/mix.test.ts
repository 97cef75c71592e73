import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { workloadNames, workloads } from "../k6/traffic/workloads.ts";
import { Mix, readMix } from "./mix.ts";

function mix(text: string): string {
  const path = join(temporaryFolder(), "mix.json");
  writeFileSync(path, text);
  return path;
}

const problemsOf = async (text: string) => {
  const error = await commandErrorOf(() => readMix(mix(text)));
  expect(error.exitCode).toBe(2);
  return error.problems.map((line) => line.replace(/^--mix: \S+mix\.json /, ""));
};

describe("a mix", () => {
  it.each(workloadNames)("can be written as %s is", (name) => {
    expect(Mix.parse(workloads[name])).toEqual(workloads[name]);
  });

  it("is read from a file", () => {
    const steps = [{ operation: "listCustomers", weight: 1 }];

    expect(readMix(mix(JSON.stringify(steps)))).toEqual(steps);
  });

  it("lists each problem with its line", async () => {
    const problems = await problemsOf(`[
  { "operation": "createTransfers", "weight": 1 },
  { "operation": "listTransfers", "weight": 0, "creationsAgo": 2 },
  { "operation": "getProfile",
    "weight": 1,
    "creationsAgo": 1 }
]`);

    expect(problems).toEqual([
      expect.stringMatching(
        /^line 2, \[0\]\.operation: unknown operation: createTransfers \(did you mean createTransfer\?\); expected one of getProfile, /,
      ),
      expect.stringMatching(/^line 3, \[1\]\.weight: Too small/),
      expect.stringMatching(/^line 6, \[2\]\.creationsAgo: only createTransfer repeats/),
    ]);
  });

  it.each([
    [
      "what creates a record that cannot be deleted",
      '[{"operation":"createPaymentPage","weight":1}]',
      "unknown operation",
    ],
    [
      "a real refund",
      '[{"operation":"refundTransaction","weight":1}]',
      "a transaction can be refunded only once",
    ],
    [
      "an unknown rejection",
      '[{"operation":"initializeVirtualAccount","weight":1,"refusal":"x"}]',
      "expected one of email-missing",
    ],
    [
      "an unknown record where no request names one",
      '[{"operation":"listCustomers","weight":1,"names":"unknown"}]',
      "only getDispute and listPageProducts can name what is unknown",
    ],
    [
      "lookups of transfers that nothing creates",
      '[{"operation":"listTransfers","weight":1,"creationsAgo":1}]',
      "no step creates the transfer",
    ],
    [
      "an endless cycle",
      '[{"operation":"listCustomers","weight":9999},{"operation":"getProfile","weight":2}]',
      "the weights add up to 10001",
    ],
    ["no step", "[]", "a workload needs at least one step"],
    ["a weight below 0", '[{"operation":"getProfile","weight":-1}]', "weight"],
    ["a weight beyond all numbers", '[{"operation":"getProfile","weight":1e999}]', "weight"],
    ["an operation of the prototype", '[{"operation":"__proto__","weight":1}]', "unknown operation"],
    [
      "a creation of the future",
      '[{"operation":"createTransfer","weight":1,"creationsAgo":-5}]',
      "creationsAgo",
    ],
    [
      "a creation too long ago",
      '[{"operation":"createTransfer","weight":1},{"operation":"createTransfer","weight":1,"creationsAgo":1e15}]',
      "creationsAgo",
    ],
    ["an abyss", "[".repeat(100_000), "levels of nesting"],
    ["a field that does not exist", '[{"operation":"getProfile","weight":1,"share":2}]', "share"],
  ])("refuses %s", async (_, text, problem) => {
    expect((await problemsOf(text)).join("\n")).toContain(problem);
  });

  it("names the line on which JSON breaks off", async () => {
    expect(await problemsOf('[\n  { "operation": "getProfile" "weight": 1 }\n]')).toEqual([
      "line 2: not valid JSON (CommaExpected)",
    ]);
  });
});
