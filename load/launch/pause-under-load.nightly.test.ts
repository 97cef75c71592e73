import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { pausedAt } from "../../fixtures/mutants/variations/busy.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { courseOf, percentileSteps } from "../results/page/charts.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { latestFile, resultIn, startLoad } from "../testing/load-command.ts";

/** Loads a deployment that pauses for five seconds, five seconds after its first request. */
async function loadThroughPause(profile: string) {
  const sandbox = await startSandbox({ variations: [pausedAt(5_000)] });
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "2000", MAX_PAYOUT_TOTAL: "100000000" };
  const variables = { ...sandbox.env, ...consent, RATE: "80", DURATION: "14s" };
  const { folder, ended } = startLoad(["qr", "--profile", profile], variables);
  await ended;
  const { measured } = resultIn(folder);
  if (!measured) throw new Error("the run has no measurements");
  return { measured, latencyMs: measured.operations.createQrTransaction?.latencyMs ?? {}, folder };
}

test("a pause of the target shows in the percentiles and the chart of the open model, where users who wait hide it", {
  timeout: 90_000,
}, async (context) => {
  await k6OrSkip(context);

  const [open, closed] = await Promise.all([loadThroughPause("average"), loadThroughPause("smoke")]);

  // A third of the requests were due in the pause, and waited for its end.
  expect(open.latencyMs.max).toBeGreaterThan(4_500);
  expect(open.latencyMs.max).toBeLessThan(6_500);
  expect(open.latencyMs.p95).toBeGreaterThan(2_000);
  expect(closed.latencyMs.p95).toBeLessThan(500);
  const { series } = open.measured;
  const { moments } = courseOf(series);
  const slow = moments.filter(({ histogram }) => histogram.count > 0 && histogram.max > 2_000);
  expect(slow.length).toBeGreaterThanOrEqual(2);
  expect(slow.length).toBeLessThanOrEqual(5);
  const steps = percentileSteps(moments, "p50").map(({ y }) => y ?? 0);
  expect(Math.max(...steps)).toBeGreaterThan(3_000);
  expect(Math.min(...steps)).toBeLessThan(200);
  expect(readFileSync(latestFile(open.folder, "load.html"), "utf8")).toContain(
    "Latency percentiles over time",
  );
});
