import { describe, expect, test, vi } from "vitest";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { sandboxClient } from "../testing/sandbox-client.ts";
import { recover, type Trial, tryBefore } from "./trials.ts";

const CALM = { interrupted: false };
const references = referencesOf("0123abcd");

const READ: Trial = { operation: "getProfile" };
const TRANSFER: Trial = { operation: "createTransfer", stake: 100 };
const QR: Trial = { operation: "createQrTransaction", stake: 1500 };
const REJECTION: Trial = { operation: "refundTransaction", refusal: "transaction-unknown" };

/** A deployment with these changes. */
function afterLoad(points: Change["points"] = {}) {
  const on = [READ, TRANSFER, QR, REJECTION].map(({ operation }) => operation);
  return sandboxClient({ fault: { id: "after-load", on, points } });
}

const tried = (client: Client, ...trials: Trial[]) =>
  tryBefore(client, new Redactor([]), { close: vi.fn() }, trials);

const worked = (...working: Trial[]) => ({ working, failing: [] });

const answering = (status: number): Change["points"] => ({
  gate: () => ({ status, headers: {}, body: { status: "error", message: "no" } }),
});

describe("recover", () => {
  test("holds if everything works that worked before, and keeps the entry of each payment", async () => {
    const { client } = await afterLoad();
    const before = await tried(client, READ, TRANSFER, QR, REJECTION);

    const { entries, invariants } = await recover(client, before.tried, CALM);

    expect(before.control).toMatchObject([
      { operation: "createTransfer", reference: references.control, outcome: "accepted" },
      { operation: "createQrTransaction", outcome: "accepted", status: 200 },
    ]);
    expect(invariants).toMatchObject([
      { id: "L13", state: "held", text: "1 read, 1 documented rejection and 2 writes worked as before it" },
    ]);
    expect(entries).toMatchObject([
      { operation: "createTransfer", reference: references.recovery, outcome: "accepted" },
      { operation: "createQrTransaction", outcome: "accepted" },
    ]);
  });

  test.each([
    ["broken", "crashes", TRANSFER, 500],
    ["broken", "crashes", QR, 500],
    ["warned", "is refused, since a load may reach a limit", TRANSFER, 400],
    ["warned", "is throttled", TRANSFER, 429],
    ["warned", "is throttled with 503", TRANSFER, 503],
  ])("is %s if a write %s: $operation", async (state, _, trial, status) => {
    const { client } = await afterLoad(answering(status));

    const { invariants } = await recover(client, worked(trial), CALM);

    expect(invariants).toMatchObject([{ state, references: ["0123abcd-recovery-1"] }]);
  });

  test("does not try again what failed before the load, and says so", async () => {
    const { client, sandbox } = await afterLoad(answering(500));
    const before = await tried(client, QR, REJECTION);
    const sent = sandbox.log.length;

    const { entries, invariants } = await recover(client, before.tried, CALM);

    expect([sent, sandbox.log.length, entries]).toEqual([2, 2, []]);
    expect(invariants).toMatchObject([
      {
        state: "unjudged",
        text: expect.stringContaining("createQrTransaction and refundTransaction.transaction-unknown"),
      },
    ]);
  });

  test("asks only once for a rejection that the API carries out", async () => {
    const { client, sandbox } = await afterLoad(answering(200));

    const { invariants } = await recover(client, worked(REJECTION), CALM);

    expect(sandbox.log).toHaveLength(1);
    expect(invariants).toMatchObject([{ state: "warned" }]);
  });

  test.each([READ, REJECTION])("waits for $operation to come back", async (trial) => {
    const since = performance.now();
    const { client } = await afterLoad({
      gate: (answer) =>
        performance.now() - since < 800 ? { status: 502, headers: {}, body: undefined } : answer,
    });

    const { invariants } = await recover(client, worked(trial), CALM);

    expect(invariants).toMatchObject([
      { state: "held", text: expect.stringMatching(/^1 .* worked as before/) },
    ]);
  });

  test("pays nothing more after a double payout, and sends nothing after an interrupt", async () => {
    const { client, sandbox } = await afterLoad();
    const all = worked(READ, TRANSFER, QR);

    await recover(client, all, { ...CALM, hasPaidTwice: true });
    const sent = sandbox.log.map(({ operation }) => operation);
    const interrupted = await recover(client, all, { interrupted: true });

    expect(sent).toEqual(["getProfile"]);
    expect(interrupted).toEqual({ entries: [], invariants: [] });
    expect(sandbox.log).toHaveLength(1);
  });
});
