import { expect } from "vitest";
import { throttledTo } from "../../fixtures/proof/variations/busy.ts";
import { loadDeployment, loadTest } from "../testing/load-command.ts";

loadTest("finds the rate above which a deployment throttles", async () => {
  const changes = [throttledTo(100, 30)];
  const given = {
    changes,
    MAX_PAYOUTS: "10000",
    MAX_PAYOUT_TOTAL: "1000000000",
    RATE: "200",
    DURATION: "20s",
  };

  const { code, stdout, result } = await loadDeployment("qr --profile breakpoint", given);

  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /PASSED \(exit code 0\): the target held up to [\d.]+\/s, and broke before/,
    ),
  });
  const [held, broke] = [/up to ([\d.]+)/, /before ([\d.]+)/].map((rate) =>
    Number(rate.exec(result.because)?.[1]),
  );
  expect(held).toBeGreaterThan(80);
  expect(broke).toBeLessThan(145);
  expect(result.because).toContain("got 429");
});
