import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { expect, test } from "vitest";
import { type VariableName, variable } from "../../fixtures/engine/config/variables.ts";
import { exampleTarget } from "../../fixtures/testing/example-target.ts";
import { readChecklist } from "./checklist.ts";
import { planOf, refuseOverPlan } from "./plan.ts";

const TEXT = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
const VALUES = parse(TEXT.replaceAll(/^# (?=[A-Z_]+=)/gm, ""));
/** Values that every user replaces: keys, and files of the user's own. */
const OWN = Object.keys(VALUES).filter(
  (name) => /^.k_test_.*\.\.\.$/.test(VALUES[name] ?? "") || variable(name as VariableName).file,
);

test("the caps of .env.example allow a complete first run with that file's own values", () => {
  const { BASE_URL: _, OUT_OF_SCOPE: __, ...given } = VALUES;
  for (const name of OWN) delete given[name];
  const consents = { ALLOW_PAYOUTS: "true", ALLOW_CREATE: "true", PROBE_WRITES: "true" };
  const target = exampleTarget({ ...given, ...consents });

  const plan = planOf(readChecklist(), target);

  expect(plan.byOperation).toHaveLength(6);
  expect(() => refuseOverPlan(plan, target)).not.toThrow();
  expect(plan.worst.count).toBe(plan.most);
  expect(target.values.MAX_PAYOUTS).toBeGreaterThanOrEqual(plan.needed.count);
  expect(target.values.MAX_PAYOUT_TOTAL).toBeGreaterThanOrEqual(plan.needed.total);
});

test("each value of .env.example is called an example or the default", () => {
  const lines = TEXT.split("\n");
  const unnamed = Object.keys(VALUES).filter((name) => {
    const above = lines[lines.findIndex((line) => line.startsWith(`# ${name}=`)) - 1] ?? "";
    return !/\. (Default|Example( \(default: .+\))?):$/.test(above);
  });

  expect(unnamed).toEqual([]);
});
