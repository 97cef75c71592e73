import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { profiles } from "../k6/profiles.ts";
import { workloads } from "../k6/requests.ts";
import { profileNames, workloadNames } from "../testing/example-load.ts";
import { readMix, readShape } from "./mix-and-shape.ts";

/** What such a file holds, read as a mix or as a shape. */
function read(reader: typeof readMix | typeof readShape, text: string) {
  const path = join(temporaryFolder(), "file.json");
  writeFileSync(path, text);
  return reader(path);
}

async function problemOf(reader: typeof readMix | typeof readShape, text: string) {
  const { exitCode, problems } = await commandErrorOf(() => read(reader, text));
  expect({ exitCode, count: problems.length }).toEqual({ exitCode: 2, count: 1 });
  return problems[0];
}

it.each(workloadNames)("a mix can be written as %s is", (name) => {
  expect(read(readMix, JSON.stringify(workloads[name]))).toEqual(workloads[name]);
});

it.each(profileNames.filter((name) => profiles[name].model === "open"))(
  "a shape can be written as %s is, which gives it its highest rate and its length",
  (name) => {
    const { stages, model, rate, seconds } = profiles[name];

    const shape = read(readShape, JSON.stringify({ stages }));

    expect(shape).toEqual({ model, rate, seconds, stages });
  },
);

it.each([
  ['"operation":"createPaymentPage","weight":1', "at [0].operation: unknown operation"],
  ['"operation":"createTransfers","weight":1', "did you mean createTransfer?); expected one of getProfile, "],
  ['"operation":"__proto__","weight":1', "unknown operation"],
  ['"operation":"refundTransaction","weight":1', "a transaction can be refunded only once"],
  ['"operation":"initializeVirtualAccount","weight":1,"refusal":"x"', "expected one of email-missing"],
  ['"operation":"listCustomers","weight":1,"names":"unknown"', "only getDispute and listPageProducts"],
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
  expect(await problemOf(readMix, `[{${step}}]`)).toContain(problem);
});

it.each([
  ['"stages":[{"seconds":1,"rate":-1}]', "at stages[0].rate"],
  ['"stages":[{"seconds":-1,"rate":1}]', "seconds"],
  ['"stages":[{"seconds":1,"rate":1e999}]', "rate"],
  ['"stages":[{"seconds":1,"rate":0}]', "no stage has a rate above 0"],
  ['"stages":[{"seconds":0,"rate":5}]', "no stage lasts any time"],
  ['"arrivals":"poisson",\n"stages":[{"seconds":1,"rate":1}]', "arrivals"],
])("a shape {%s} is refused", async (text, problem) => {
  expect(await problemOf(readShape, `{${text}}`)).toContain(problem);
});

it.each([
  [readMix, "[]", "a workload needs at least one step"],
  [readShape, '{"stages":[]}', "a shape needs at least one stage"],
])("%o refuses a file without content", async (reader, text, problem) => {
  expect(await problemOf(reader, text)).toContain(problem);
});
