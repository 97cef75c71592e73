import { describe, expect, test } from "vitest";
import { aftermathFaults, loadedAnswerFaults } from "../../fixtures/mutants/faults/under-load/load-faults.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import {
  deploymentUnderLoad,
  expectBroken,
  loadTransfers,
  resultIn,
  startLoad,
} from "../testing/load-command.ts";

const LONG = { timeout: 90_000 };

const LEAK = "under-load/leak";
const REJECTIONS_LEAK = "under-load/rejections-leak";

describe("a deployment whose responses are correct until it is under load", () => {
  const broken = [...loadedAnswerFaults, ...aftermathFaults].filter(
    ({ id }) => id !== LEAK && id !== REJECTIONS_LEAK,
  );

  test.for(broken)("fails $invariant: $breaks", LONG, async ({ id, invariant }, context) => {
    await k6OrSkip(context);

    await expectBroken("smoke", id, invariant);
  });

  test("fails L14 if a soak slows it down", LONG, async (context) => {
    await k6OrSkip(context);

    const { code, result } = await loadTransfers("soak", LEAK);
    if (result.validity === "generator-limited")
      context.skip("this machine is so busy that k6 itself is late");

    expect({ code, because: result.because }).toEqual({
      code: 1,
      because: expect.stringMatching(
        /L14 \(responses do not slow down over the run\): createTransfer took \d+ ms in the last tenth/,
      ),
    });
  });

  test("fails L13 under the default workload if rejections wear it out", LONG, async (context) => {
    await k6OrSkip(context);
    const variables = { ...(await deploymentUnderLoad(REJECTIONS_LEAK)), RATE: "400", DURATION: "3s" };

    const { folder, ended } = startLoad(["--profile", "smoke"], variables);
    const { code, stdout, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^Workload everything, .*\nLeft out of it:\n {2}createPaymentPage: set ALLOW_CREATE=true\n/m,
    );
    const { invariants, money, measured } = resultIn(folder);
    expect(invariants.find(({ id }) => id === "L13")).toMatchObject({
      state: "broken",
      text: expect.stringMatching(
        /^refundTransaction\.transaction-unknown returned 500, and worked before the load/,
      ),
    });
    // All five kinds of payments were reserved and sent once before the load and once after it.
    const { refundTransaction, ...operations } = measured?.operations ?? {};
    expect(refundTransaction?.outcomes["server-error"]).toBeGreaterThan(0);
    const paid = Object.entries(operations).flatMap(([name, { outcomes }]) =>
      /^(create|initialize)/.test(name) ? (outcomes.accepted ?? 0) : [],
    );
    expect(paid).toHaveLength(5);
    expect(money.kept.count).toBe(paid.reduce((sum, count) => sum + count, 2 * paid.length));
  });

  test("passes every invariant if it stays correct", LONG, async (context) => {
    await k6OrSkip(context);

    const { code, result } = await loadTransfers("smoke");

    expect({ code, states: new Set(result.invariants.map(({ state }) => state)) }).toEqual({
      code: 0,
      states: new Set(["held", "unjudged"]),
    });
  });
});
