import { expect, onTestFinished, test, vi } from "vitest";
import { payOut } from "../../fixtures/mutants/faults/transfers/payouts.ts";
import { showing } from "../../fixtures/sandbox/points/edits.ts";
import type { Points } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { consented } from "../testing/consented.ts";
import { execute, verdictsIn } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

const REPEATS = ["sequential", "repeated-at-end", "at-end-of-run"].map(
  (name) => `createTransfer/idempotency/${name}`,
);

/** Certifies a deployment that differs from the sandbox in these points, and waits this long for it to settle. */
async function certified(points: Points, SETTLE_SECONDS: string) {
  const difference = { id: "late", breaks: "", operation: "createTransfer", requirement: "none" } as const;
  const fault = { ...difference, points, on: ["createTransfer", "listTransfers"] as const };
  const sandbox = await startSandbox({ fault });
  onTestFinished(() => sandbox.close());
  const variables = { ...consented(sandbox.env), SETTLE_SECONDS };
  const ended = await execute("certify", ["--select", REPEATS.join()], variables);
  const { checks } = verdictsIn(ended);
  return { ...ended, verdicts: Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])) };
}

test("a second payout that is made late, but within SETTLE_SECONDS, fails the run", async () => {
  const payingLate: Points = {
    repeat: (decision, { call, transferReference }) => {
      setTimeout(() => payOut(call.merchant, transferReference), 3_000);
      return decision;
    },
  };

  const { verdicts, stdout } = await certified(payingLate, "5");

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

  const { verdicts } = await certified(listingAttempts, "6");

  expect(Object.values(verdicts)).toEqual(["pass", "pass", "pass"]);
});

test("a run suggests the SETTLE_SECONDS that a deployment with a slow list needs", async () => {
  const listingLate = showing("transfers", (transfer, madeAt) =>
    performance.now() - madeAt < 600 ? undefined : transfer,
  );

  const { code, stdout } = await certified(listingLate, "8");

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^This deployment shows accepted writes after at most [\d.]+ s\. This run waited \d+ s in total for accepted writes to settle\. SETTLE_SECONDS=5 would do, /m,
  );
});
