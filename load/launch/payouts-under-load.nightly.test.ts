import { describe, expect, test } from "vitest";
import { loadedPayoutFaults } from "../../fixtures/mutants/faults/under-load/load-faults.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { expectBroken, loadTransfers } from "../testing/load-command.ts";

const LONG = { timeout: 90_000 };

/** The API may have an identifier for each request, so the result only warns. */
const ONLY_WARNED = "under-load/replayed-with-new-id";

describe("a deployment whose payouts are correct until it is under load", () => {
  const broken = loadedPayoutFaults.filter(({ id }) => id !== ONLY_WARNED);

  test.for(broken)("fails $invariant: $breaks", LONG, async ({ id, invariant }, context) => {
    await k6OrSkip(context);

    // A race needs requests that do not wait for each other.
    await expectBroken(invariant === "L2" ? "average" : "smoke", id, invariant);
  });

  test(
    "warns of L3 if retries are answered with a new transactionId but paid once",
    LONG,
    async (context) => {
      await k6OrSkip(context);

      const { code, result } = await loadTransfers("smoke", ONLY_WARNED);

      const found = result.invariants.find(({ id }) => id === "L3");
      expect({ code, state: found?.state }).toEqual({ code: 0, state: "warned" });
      expect(found?.references.length).toBeGreaterThan(0);
    },
  );
});
