import { expect, test } from "vitest";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import { Run, type RunSettings } from "../../fixtures/engine/run/run.ts";
import { deploy } from "../../fixtures/testing/deployment.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import type { RunEvent } from "../../reports/events/events.ts";
import { runChecks, settingsOf } from "./run-checks.ts";

const ID = "getProfile/accepted";

/** Runs one check with settings that differ so; returns the verdicts and the faults of the suite. */
async function ran(change: Partial<RunSettings>, overdue?: () => Promise<never>) {
  const { env } = await deploy({
    changes: [{ id: "slow", points: { wire: (wire) => ({ ...wire, delayMs: 700 }) } }],
  });
  const target = exampleTarget(env);
  const found = await preflight(target, "run");
  const run = { runId: "run", seed: 1, directory: temporaryFolder(), keepsExchanges: false };
  const settings = settingsOf({ ...run, target, found, checks: [{ id: ID }] });
  const events: RunEvent[] = [];

  await runChecks([new Run({ ...settings, ...change })], (_, event) => events.push(event), overdue?.());

  return {
    verdicts: events.flatMap((event) => (event.type === "check" ? [event.result.verdict] : [])),
    faults: events.flatMap((event) => (event.type === "problem" ? [event.text] : [])),
  };
}

test("a check that does not exist is a fault, and does not disturb the others", async () => {
  expect(await ran({ checks: [ID, "getProfile/gone"] })).toEqual({
    verdicts: ["pass"],
    faults: ["getProfile/gone: the check produced no result"],
  });
});

test("checks that are given up leave no result", async () => {
  expect(await ran({}, () => Promise.reject(new Error("a check still ran")))).toEqual({
    verdicts: [],
    faults: ["Error: a check still ran", `${ID}: the check produced no result`],
  });
});
