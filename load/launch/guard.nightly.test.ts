import { describe, expect, onTestFinished, test } from "vitest";
import { counter } from "../../fixtures/sandbox/points/conditions.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { resultIn, startLoad } from "../testing/load-command.ts";

const LONG = { timeout: 120_000 };

/** A deployment whose transfers go wrong after the first twenty, and a load of two minutes. */
async function deployment(points: Change["points"]) {
  const calls = counter(() => "any transfer");
  const fault: Change = {
    id: "later",
    on: ["createTransfer"],
    when: (call) => calls(call) > 20,
    points,
  };
  const sandbox = await startSandbox({ fault });
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "3000", MAX_PAYOUT_TOTAL: "100000000" };
  return { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE: "20", DURATION: "120s" };
}

describe("npm run load stops by itself", () => {
  test("after 30 s in which more than half of the responses are server errors", LONG, async (context) => {
    await k6OrSkip(context);
    const body = { status: "error", message: "Internal error" };
    const variables = await deployment({ gate: () => ({ status: 500, headers: {}, body }) });
    const { folder, ended } = startLoad(["transfers", "--profile", "average"], variables);

    const { code, stderr } = await ended;

    expect(stderr).toMatch(/Stopping the load .*: \d+ of \d+ responses within 30 s were server errors\.\n/);
    // A fresh transfer still crashes after the load.
    expect({ code, because: resultIn(folder).because }).toEqual({
      code: 1,
      because: expect.stringContaining("L13 (the API recovers after the load): createTransfer returned 500"),
    });
    expect(resultIn(folder).measured?.durationMs).toBeLessThan(60_000);
  });

  test("when it has proved a double payout", LONG, async (context) => {
    await k6OrSkip(context);
    const variables = await deployment({ repeat: () => "pay-again" });
    const { folder, ended } = startLoad(["transfers", "--profile", "average"], variables);

    const { code, stderr } = await ended;

    expect(stderr).toMatch(/Stopping the load .*: the API paid load-[\da-f]{8}-\d{7} twice\.\n/);
    const { invariants, money } = resultIn(folder);
    expect({ code, states: invariants.flatMap(({ id, state }) => (state === "broken" ? [id] : [])) }).toEqual(
      {
        code: 1,
        states: ["L2"],
      },
    );
    // Nothing more is paid, not even the one transfer after the load.
    expect(invariants.map(({ id }) => id)).toContain("L13");
    expect(money.kept.count).toBeLessThan(1000);
  });
});
