import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { workloads } from "../k6/requests.ts";
import { workloadNames } from "../testing/example-load.ts";
import { readMix } from "./mix.ts";

function read(text: string) {
  const path = join(temporaryFolder(), "file.json");
  writeFileSync(path, text);
  return readMix(path);
}

async function problemOf(text: string) {
  const { exitCode, problems } = await commandErrorOf(() => read(text));
  expect({ exitCode, count: problems.length }).toEqual({ exitCode: 2, count: 1 });
  return problems[0];
}

it.each(workloadNames)("a mix can be written as %s is", (name) => {
  expect(read(JSON.stringify(workloads[name]))).toEqual(workloads[name]);
});

it.each([
  ['"operation":"createPaymentPage","weight":1', "at [0].operation: unknown operation"],
  ['"operation":"createTransfers","weight":1', "did you mean createTransfer?); expected one of getProfile, "],
  ['"operation":"__proto__","weight":1', "unknown operation"],
  ['"operation":"refundTransaction","weight":1', "a transaction can be refunded only once"],
  ['"operation":"initializeVirtualAccount","weight":1,"refusal":"x"', "expected one of email-missing"],
  ['"operation":"listTransfers","weight":1,"creationsAgo":1', "no step creates the transfer"],
  ['"operation":"createTransfer","weight":1,"creationsAgo":-5', "creationsAgo"],
  [
    '"operation":"createTransfer","weight":1},{"operation":"createTransfer","weight":1,"creationsAgo":1e15',
    "Too big",
  ],
  ['"operation":"listCustomers","weight":9999},{"operation":"getProfile","weight":2', "add up to 10001"],
  ['"operation":"getProfile","weight":-1', "weight"],
  ['"operation":"getProfile","weight":1e999', "weight"],
  ['"operation":"getProfile","weight":1,"share":2', "share"],
  ['"operation":"getProfile"\n"weight":1', "is not valid JSON"],
])("a mix of {%s} is refused", async (step, problem) => {
  expect(await problemOf(`[{${step}}]`)).toContain(problem);
});

it("a file without steps is refused", async () => {
  expect(await problemOf("[]")).toContain("a workload needs at least one step");
});
