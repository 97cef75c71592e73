import { describe, expect, test } from "vitest";
import { aftermathFaults } from "../../fixtures/sandbox/faults/under-load/aftermath.ts";
import { loadedAnswerFaults } from "../../fixtures/sandbox/faults/under-load/answers.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { expectBroken, loadTransfers } from "../testing/load-command.ts";

const LONG = { timeout: 90_000 };

const LEAK = "under-load/leak";

describe("a deployment whose responses are correct until it is under load", () => {
  const broken = [...loadedAnswerFaults, ...aftermathFaults].filter(({ id }) => id !== LEAK);

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

  test("passes every invariant if it stays correct", LONG, async (context) => {
    await k6OrSkip(context);

    const { code, result } = await loadTransfers("smoke");

    expect({ code, states: new Set(result.invariants.map(({ state }) => state)) }).toEqual({
      code: 0,
      states: new Set(["held"]),
    });
  });
});
