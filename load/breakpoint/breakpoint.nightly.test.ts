import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { throttledTo } from "../../fixtures/mutants/variations/busy.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { latestFile, startLoad } from "../testing/load-command.ts";

test("finds the rate above which a deployment throttles", { timeout: 120_000 }, async (context) => {
  await k6OrSkip(context);
  const sandbox = await startSandbox({ variations: [throttledTo(100, 30)] });
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10000", MAX_PAYOUT_TOTAL: "1000000000" };
  const variables = { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE: "200", DURATION: "20s" };
  const { folder, ended } = startLoad(["breakpoint", "qr"], variables);

  const { code, stdout } = await ended;

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /PASSED \(exit code 0\): the target held up to [\d.]+\/s, and broke before/,
    ),
  });
  const { bounds, causes } = JSON.parse(readFileSync(latestFile(folder, "breakpoint.json"), "utf8"));
  expect(bounds.held).toBeGreaterThan(80);
  expect(bounds.broke).toBeLessThan(145);
  expect(causes[0].kind).toBe("throttling");
});
