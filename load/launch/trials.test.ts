import { describe, expect, test, vi } from "vitest";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { commandErrorOf } from "../../fixtures/testing/example-target.ts";
import { referencesOf } from "../k6/requests.ts";
import { inShort } from "../testing/example-load.ts";
import { sandboxClient } from "../testing/sandbox-client.ts";
import { recover, type Trial, tryBefore } from "./trials.ts";

const CALM = { interrupted: false };
const { control, recovery } = referencesOf("0123abcd");

const READ: Trial = { operation: "getProfile" };
const TRANSFER: Trial = { operation: "createTransfer", stake: 100 };
const QR: Trial = { operation: "createQrTransaction", stake: 1500 };
const REJECTION: Trial = { operation: "refundTransaction", refusal: "transaction-unknown" };

/** A deployment with these changes. */
function afterLoad(points: Change["points"] = {}) {
  const on = [READ, TRANSFER, QR, REJECTION].map(({ operation }) => operation);
  return sandboxClient({ changes: [{ id: "after-load", on, points }] });
}

/** Instead of what the sandbox does. */
const returning = (status: number): Change["points"] => ({
  gate: () => ({ status, headers: {}, body: { status: "error", message: "no" } }),
});

const tryAll = (client: Client, trials: Trial[], close = vi.fn()) =>
  tryBefore(client, new Redactor([]), { close }, trials);

describe("before a load", () => {
  test("a rejected transfer ends the run, and the ledger keeps it", async () => {
    const { client } = await afterLoad(returning(400));
    const close = vi.fn();

    const { exitCode, message } = await commandErrorOf(() => tryAll(client, [TRANSFER, READ], close));

    expect({ exitCode, message }).toMatchObject({ exitCode: 3, message: expect.stringContaining("400") });
    const [[, kept] = []] = close.mock.calls;
    expect(kept).toEqual([control]);
  });
});

describe("recover", () => {
  test("holds if everything works that worked before, and keeps the entry of each payment", async () => {
    const { client } = await afterLoad();
    const before = await tryAll(client, [READ, TRANSFER, QR, REJECTION]);

    const { entries, invariants } = await recover(client, before.working, CALM);

    expect(before.control).toMatchObject([
      { operation: "createTransfer", reference: control, outcome: "accepted" },
      { operation: "createQrTransaction", outcome: "accepted", status: 200 },
    ]);
    expect(inShort(invariants)).toBe("L13 held");
    expect(invariants[0]?.text).toBe("4 requests worked as before it");
    expect(entries).toMatchObject([
      { operation: "createTransfer", reference: recovery, outcome: "accepted" },
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
    const { client } = await afterLoad(returning(status));

    const { invariants } = await recover(client, [trial], CALM);

    expect(inShort(invariants)).toBe(`L13 ${state} 0123abcd-recovery-1`);
    expect(invariants[0]?.text).toMatch(/worked before the load, which may have used something up/);
  });

  test("does not try again what failed before the load", async () => {
    const { client, sandbox } = await afterLoad(returning(500));
    const before = await tryAll(client, [QR, REJECTION]);

    const { entries, invariants } = await recover(client, before.working, CALM);

    expect([sandbox.log.length, entries, inShort(invariants)]).toEqual([2, [], "L13 unjudged"]);
  });

  test("asks only once for a rejection that the API carries out", async () => {
    const { client, sandbox } = await afterLoad(returning(200));

    const { invariants } = await recover(client, [REJECTION], CALM);

    expect(sandbox.log).toHaveLength(1);
    expect(invariants).toMatchObject([{ state: "warned" }]);
  });

  test.each([READ, REJECTION])("waits for $operation to come back", async (trial) => {
    const since = performance.now();
    const { client } = await afterLoad({
      gate: (answer) =>
        performance.now() - since < 800 ? { status: 502, headers: {}, body: undefined } : answer,
    });

    const { invariants } = await recover(client, [trial], CALM);

    expect(inShort(invariants)).toBe("L13 held");
  });

  test("pays nothing more after a double payout, and sends nothing after an interrupt", async () => {
    const { client, sandbox } = await afterLoad();
    const all = [READ, TRANSFER, QR];

    await recover(client, all, { ...CALM, hasPaidTwice: true });
    const interrupted = await recover(client, all, { interrupted: true });

    expect(sandbox.log.map(({ operation }) => operation)).toEqual(["getProfile"]);
    expect(interrupted).toEqual({ entries: [], invariants: [] });
  });
});
