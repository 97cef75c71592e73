import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { latestFile, resultIn, startLoad } from "../testing/load-command.ts";

test("a load that is stopped because of a double payout says so in every report, next to the broken invariant", {
  timeout: 90_000,
}, async (context) => {
  await k6OrSkip(context);
  const fault = faults.find(({ id }) => id === "paid-twice");
  const sandbox = await startSandbox(fault ? { fault } : {});
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "2000", MAX_PAYOUT_TOTAL: "100000000" };
  const variables = { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE: "20", DURATION: "60s" };
  const { folder, ended } = startLoad(["transfers", "--profile", "average"], variables);

  const { code, stdout } = await ended;

  const reason = /FAILED.*L2 \(.*; the load was stopped: the API paid load-\S+ twice/;
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(reason) });
  const { stopped, iterations, measured } = resultIn(folder);
  expect(stopped).toMatch(/^the API paid load-\S+ twice$/);
  expect(measured?.iterations).toBeLessThan(iterations);
  for (const file of ["load.html", "summary.md", "junit.xml"])
    expect(readFileSync(latestFile(folder, file), "utf8")).toContain(stopped);
});
