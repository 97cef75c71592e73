import { expect, onTestFinished, test } from "vitest";
import { variations } from "../../fixtures/mutants/variations/variations.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { resultIn, startLoad } from "../testing/load-command.ts";

test.for(["transfers", "readers", "gateway"])(
  "%s passes a deployment that accepts only some page sizes",
  { timeout: 60_000 },
  async (workload, context) => {
    await k6OrSkip(context);
    const variation = variations.filter(({ id }) => id === "limit-from-a-set");
    const sandbox = await startSandbox({ variations: variation });
    onTestFinished(() => sandbox.close());
    const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "200", MAX_PAYOUT_TOTAL: "100000000" };
    const variables = { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE: "40", DURATION: "2500ms" };

    const { folder, ended } = startLoad([workload, "--profile", "smoke"], variables);
    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { measured, invariants } = resultIn(folder);
    expect(measured?.operations.listTransfers?.outcomes).toEqual({
      accepted: measured?.operations.listTransfers?.requests,
    });
    expect(invariants.filter(({ state }) => state !== "held" && state !== "unjudged")).toEqual([]);
  },
);
