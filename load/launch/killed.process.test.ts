import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { EXAMPLE_RUN } from "../testing/example-result.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { deploymentUnderLoad, startLoad, untilTrue } from "../testing/load-command.ts";

const LONG = { timeout: 60_000 };

describe.skipIf(process.platform === "win32")("a load run whose launcher is killed", () => {
  test(
    "ends with it, pays nothing that the ledger does not hold, and can be reconciled",
    LONG,
    async (context) => {
      await k6OrSkip(context);
      const { sandbox, variables } = await longDeployment();
      // Without an answer, a transfer may be paid; the preflight sends one without a body.
      const paid = () =>
        sandbox.log.filter(({ operation, status = 200 }) => operation === "createTransfer" && status < 300)
          .length;
      const killed = startLoad(["transfers", "--profile", "smoke"], variables);
      await untilTrue(() => paid() > 20);

      killed.kill("SIGKILL");
      await killed.ended;
      const atKill = paid();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const atRest = paid();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const [ledger = ""] = readdirSync(join(killed.folder, "reports/ledger"));
      const held = () =>
        readFileSync(join(killed.folder, "reports/ledger", ledger), "utf8").match(/"type":"reserve"/g)
          ?.length ?? 0;
      const again = await startLoad(["transfers", "--profile", "smoke"], variables, killed.folder).ended;
      const reconciled = await startLoad(["reconcile"], variables, killed.folder).ended;

      expect(atRest - atKill).toBeLessThan(40);
      expect(paid()).toBe(atRest);
      expect(held()).toBeGreaterThanOrEqual(paid());
      // What the killed run reserved leaves no room for another one, until it is reconciled.
      expect(again).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/earlier runs that were never closed/),
      });
      expect(reconciled).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /createTransfer +\d\d[\s\S]*transfer references looked up[\s\S]*Reconciled, and closed in the ledger/,
        ),
      });
    },
  );

  test("is not reconciled with another deployment, nor where there is no run", LONG, async () => {
    const variables = await deploymentUnderLoad();
    const folder = temporaryFolder();
    const target = { baseUrl: "http://127.0.0.1:9/", embedded: false };
    const file = { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1", target };
    writeFileSync(join(folder, "run.json"), JSON.stringify(file));

    expect(await startLoad(["reconcile", folder], variables).ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^this run loaded http:\/\/127\.0\.0\.1:9\/, but BASE_URL is .*\n$/),
    });
    expect(await startLoad(["reconcile", join(folder, "none")], variables).ended).toMatchObject({ code: 2 });
    expect(await startLoad(["reconcile"], variables).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^no load run below reports\/out was killed/),
    });
  });
});

/** A deployment with room for exactly one run of a minute. */
async function longDeployment() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1000", MAX_PAYOUT_TOTAL: "100000000" };
  const variables = { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE: "20", DURATION: "60s" };
  return { sandbox, variables };
}
