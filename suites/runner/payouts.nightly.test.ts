import { expect, test } from "vitest";
import { payOut } from "../../fixtures/mutants/faults/transfers/transfers.ts";
import { showing } from "../../fixtures/sandbox/points/edits.ts";
import type { Change, Points } from "../../fixtures/sandbox/points/points.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { certify } from "./certify.ts";

const REPEATS = ["sequential", "repeated-at-end", "at-end-of-run"].map(
  (name) => `createTransfer/idempotency/${name}`,
);
const REJECTED = "createTransfer/accountName/missing";

/** Runs checks of a deployment; returns what was printed, what was paid, and the verdicts by id. */
async function certified(faults: readonly (Change | string)[], select: string, settleSeconds = "1") {
  const { env } = await deploy({ faults });
  const ended = await invoke(certify, ["--select", select], { ...env, SETTLE_SECONDS: settleSeconds });
  const { checks, money, created } = verdictsIn(ended);
  const verdicts = Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
  return { ...ended, verdicts, paid: money.kept.count, created: created.length };
}

/** Repeats transfers at a deployment that differs in these points. */
const repeated = (points: Points, settleSeconds: string) =>
  certified([{ id: "late", points, on: ["createTransfer", "listTransfers"] }], REPEATS.join(), settleSeconds);

test("a second payout that is made late, but within SETTLE_SECONDS, fails the run", async () => {
  const payingLate: Points = {
    repeat: (decision, { call, transferReference }) => {
      setTimeout(() => payOut(call.merchant, transferReference), 3_000);
      return decision;
    },
  };

  const { verdicts, stdout } = await repeated(payingLate, "5");

  expect(verdicts).toMatchObject({ "createTransfer/idempotency/at-end-of-run": "fail" });
  expect(stdout).not.toContain("would do");
});

test("a rejected repeat that is listed as Pending until it is Rejected is no second payout", async () => {
  const attempts = new Set<unknown>();
  const listingAttempts: Points = {
    ...showing("transfers", (transfer, madeAt) =>
      attempts.has(transfer.transactionId) && performance.now() - madeAt > 2_000
        ? { ...transfer, status: "Rejected" }
        : transfer,
    ),
    repeat: (_, { call, transferReference }) => {
      const transfers = call.merchant?.books.transfers;
      const first = transfers?.withReference(transferReference)[0];
      const transactionId = `TRF${call.store.next()}`;
      attempts.add(transactionId);
      if (first) transfers.add({ ...first, transactionId, status: "Pending", madeAt: performance.now() });
      return "reject";
    },
  };

  const { verdicts } = await repeated(listingAttempts, "6");

  expect(Object.values(verdicts)).toEqual(["pass", "pass", "pass"]);
});

test("a run suggests the SETTLE_SECONDS that a deployment with a slow list needs", async () => {
  const listingLate = showing("transfers", (transfer, madeAt) =>
    performance.now() - madeAt < 600 ? undefined : transfer,
  );

  const { code, stdout } = await repeated(listingLate, "8");

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^This deployment shows accepted writes after at most [\d.]+ s\. This run waited \d+ s in total for accepted writes to settle\. SETTLE_SECONDS=5 would do, /m,
  );
});

test("a rejected transfer that was paid counts and fails the run, whatever was selected", async () => {
  const { code, verdicts, paid, created, stdout } = await certified(["refused-is-paid"], REJECTED);

  expect({ code, verdicts }).toEqual({
    code: 1,
    verdicts: {
      [REJECTED]: "pass",
      "createTransfer/rejections/leave-nothing": "fail",
    },
  });
  // The control and the rejected transfer.
  expect({ paid, created }).toEqual({ paid: 2, created: 2 });
  expect(stdout).toContain("returned 400, but the transfer is listed afterwards");
});

test("a rejected transfer that was not paid leaves no trace in the result", async () => {
  const { code, verdicts, paid } = await certified([], REJECTED);

  expect({ code, verdicts, paid }).toEqual({
    code: 0,
    verdicts: { [REJECTED]: "pass" },
    paid: 1,
  });
});
