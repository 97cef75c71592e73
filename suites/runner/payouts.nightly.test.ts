import { expect, test } from "vitest";
import { showing } from "../../fixtures/sandbox/points/edits.ts";
import type { Change, Points } from "../../fixtures/sandbox/points/points.ts";
import { Rejected } from "../../fixtures/sandbox/rules/rules.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { certify } from "./certify.ts";

const REPEATS = ["sequential", "repeated-at-end", "at-end-of-run"]
  .map((name) => `createTransfer/idempotency/${name}`)
  .join();
const REJECTED = "createTransfer/accountName/missing";

/** Runs checks of a deployment; returns what was printed, what was paid, and the verdicts by id. */
async function certified(changes: readonly (Change | string)[], select: string, settleSeconds = "1") {
  const { env } = await deploy({ changes });
  const ended = await invoke(certify, ["--select", select], { ...env, SETTLE_SECONDS: settleSeconds });
  const { checks, money, created } = verdictsIn(ended);
  const verdicts = Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
  return { ...ended, verdicts, paid: money.kept.count, created: created.length };
}

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

  const change = {
    id: "attempts",
    points: listingAttempts,
    on: ["createTransfer", "listTransfers"],
  } as const;
  const { verdicts } = await certified([change], REPEATS, "6");

  expect(Object.values(verdicts)).toEqual(["pass", "pass", "pass"]);
});

test("a transfer whose reference was accepted in another notation is not held against a 500 before", async () => {
  const change: Change = {
    id: "crashes-unless-escaped",
    on: ["createTransfer"],
    when: ({ requestId }) => requestId.includes("other-notation"),
    points: {
      receive: (received) => {
        if (received.bytes.includes("\\u00")) return received;
        throw new Rejected({ cause: "internal", message: "Internal error", status: 500 });
      },
    },
  };
  const checks = ["createTransfer/idempotency/other-notation", "createTransfer/broken-is-not-paid"];

  const { verdicts } = await certified([change], checks.join());

  expect(verdicts["createTransfer/broken-is-not-paid"]).toBe("pass");
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
