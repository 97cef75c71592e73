import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { EXAMPLE_RUN } from "../testing/example-result.ts";
import { deployment, k6OrSkip, ledgerIn, startLoad, untilTrue } from "../testing/load-command.ts";
import { load } from "./main.ts";

/** Room for exactly one run of a minute. */
const ROOM_FOR_ONE = { MAX_PAYOUTS: "1000", RATE: "20", DURATION: "60s" };
const ARGS = ["transfers", "--profile", "smoke"];

test.skipIf(process.platform === "win32")(
  "a load ends with its launcher, pays nothing that the ledger does not hold, and can be reconciled",
  async (context) => {
    await k6OrSkip(context);
    const deployed = await deployment();
    const variables = { ...deployed.variables, ...ROOM_FOR_ONE };
    // Without a response, a transfer may be paid; the preflight sends one without a body.
    const paid = () =>
      deployed.sandbox.log.filter(
        ({ operation, status = 200 }) => operation === "createTransfer" && status < 300,
      ).length;
    const killed = startLoad(ARGS, variables);
    await untilTrue(() => paid() > 20);

    killed.process.kill("SIGKILL");
    await killed.ended;
    const atKill = paid();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const atRest = paid();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const held = ledgerIn(killed.folder).match(/"type":"reserve"/g)?.length ?? 0;
    const again = await startLoad(ARGS, variables, killed.folder).ended;
    const reconciled = await startLoad(["reconcile"], variables, killed.folder).ended;

    expect(atRest - atKill).toBeLessThan(40);
    expect(paid()).toBe(atRest);
    expect(held).toBeGreaterThanOrEqual(paid());
    // What the killed run reserved leaves no room for another one, until it is reconciled.
    expect(again).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/earlier runs that were never closed/),
    });
    const looked =
      /createTransfer +\d\d[\s\S]*transfer references looked up[\s\S]*Reconciled, and closed in the ledger/;
    expect(reconciled).toMatchObject({ code: 0, stdout: expect.stringMatching(looked) });
  },
);

test("a run is not reconciled with another deployment, nor where there is no run", async () => {
  const { variables } = await deployment();
  const folder = temporaryFolder();
  const target = { baseUrl: "http://127.0.0.1:9/", embedded: false };
  const file = { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1", target };
  writeFileSync(join(folder, "run.json"), JSON.stringify(file));

  expect(await invoke(load, ["reconcile", folder], variables)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^this run loaded http:\/\/127\.0\.0\.1:9\/, but BASE_URL is .*\n$/),
  });
  expect(await invoke(load, ["reconcile", join(folder, "none")], variables)).toMatchObject({ code: 2 });
  expect(await invoke(load, ["reconcile"], variables)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^no load run below reports\/out was killed/),
  });
});
