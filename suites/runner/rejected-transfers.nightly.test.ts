import { expect, onTestFinished, test, vi } from "vitest";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { consented } from "../testing/consented.ts";
import { execute, verdictsIn } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

const ONE_REJECTION = ["--select", "createTransfer/accountName/missing"];

/** The verdicts of a run of one check that sends a rejected transfer, to a deployment with this fault or none. */
async function runOf(id?: string) {
  const fault = faults.find((one) => one.id === id);
  const sandbox = await startSandbox(fault ? { fault } : {});
  onTestFinished(() => sandbox.close());
  const ended = await execute("certify", ONE_REJECTION, consented(sandbox.env));
  const { checks, money, created } = verdictsIn(ended);
  return {
    code: ended.code,
    verdicts: Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])),
    paid: money.kept.count,
    created: created.length,
    stdout: ended.stdout,
  };
}

test("a rejected transfer that was paid counts and fails the run, whatever was selected", async () => {
  const { code, verdicts, paid, created, stdout } = await runOf("refused-is-paid");

  expect({ code, verdicts }).toEqual({
    code: 1,
    verdicts: {
      "createTransfer/accountName/missing": "pass",
      "createTransfer/rejections/leave-nothing": "fail",
    },
  });
  // The control and the rejected transfer.
  expect({ paid, created }).toEqual({ paid: 2, created: 2 });
  expect(stdout).toContain("returned 400, but the transfer is listed afterwards");
});

test("a rejected transfer that was not paid leaves no trace in the result", async () => {
  const { code, verdicts, paid } = await runOf();

  expect({ code, verdicts, paid }).toEqual({
    code: 0,
    verdicts: { "createTransfer/accountName/missing": "pass" },
    paid: 1,
  });
});
