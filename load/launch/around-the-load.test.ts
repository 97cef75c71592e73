import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { recover, tryBefore } from "./around-the-load.ts";
import type { Trial } from "./trials.ts";

const CALM = { paysAgain: true, stop: { interrupted: false } };
const references = referencesOf("0123abcd");
const redactor = new Redactor([]);
const held = { close: vi.fn() };

const READ: Trial = { operation: "getProfile" };
const TRANSFER: Trial = { operation: "createTransfer", stake: 100 };
const QR: Trial = { operation: "createQrTransaction", stake: 1500 };
const REJECTION: Trial = { operation: "refundTransaction", refusal: "transaction-unknown" };

/** A deployment with these changes. */
async function afterLoad(points: Change["points"] = {}) {
  const fault: Change = {
    id: "after-load",
    on: [READ, TRANSFER, QR, REJECTION].map(({ operation }) => operation),
    points,
  };
  const sandbox = await startSandbox({ fault });
  const target = parseTarget({ variables: sandbox.env, embedded: true });
  const client = new Client(target, "0123abcd", { pathForms: BARE_PATHS });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  return { client, sandbox };
}

const worked = (...working: readonly Trial[]) => ({ working, failing: [] });

const answering = (status: number): Change["points"] => ({
  gate: () => ({ status, headers: {}, body: { status: "error", message: "no" } }),
});

describe("recover", () => {
  test("holds if everything works that worked before, and keeps the entry of each payment", async () => {
    const { client } = await afterLoad();
    const { entries: before, tried } = await tryBefore(
      client,
      redactor,
      held,
      [READ, TRANSFER, QR, REJECTION],
      references,
    );

    const { entries, invariants } = await recover(client, tried, references, CALM);

    expect(before).toMatchObject([
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

    const { invariants } = await recover(client, worked(trial), references, CALM);

    expect(invariants).toMatchObject([{ state, references: ["0123abcd-recovery-1"] }]);
  });

  test("does not try again what failed before the load, and says so", async () => {
    const { client, sandbox } = await afterLoad(answering(500));
    const { tried } = await tryBefore(client, redactor, held, [QR, REJECTION], references);
    const sent = sandbox.log.length;

    const { entries, invariants } = await recover(client, tried, references, CALM);

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

    const { invariants } = await recover(client, worked(REJECTION), references, CALM);

    expect(sandbox.log).toHaveLength(1);
    expect(invariants).toMatchObject([{ state: "warned" }]);
  });

  test.each([READ, REJECTION])("waits for $operation to come back", async (trial) => {
    const since = performance.now();
    const { client } = await afterLoad({
      gate: (answer) =>
        performance.now() - since < 800 ? { status: 502, headers: {}, body: undefined } : answer,
    });

    const { invariants } = await recover(client, worked(trial), references, CALM);

    expect(invariants).toMatchObject([
      { state: "held", text: expect.stringMatching(/^1 .* worked as before/) },
    ]);
  });

  test("pays nothing more after a double payout, and sends nothing after an interrupt", async () => {
    const { client, sandbox } = await afterLoad();
    const tried = worked(READ, TRANSFER, QR);

    await recover(client, tried, references, { ...CALM, paysAgain: false });
    const sent = sandbox.log.map(({ operation }) => operation);
    const interrupted = await recover(client, tried, references, { ...CALM, stop: { interrupted: true } });

    expect(sent).toEqual(["getProfile"]);
    expect(interrupted).toEqual({ entries: [], invariants: [] });
    expect(sandbox.log).toHaveLength(1);
  });
});
