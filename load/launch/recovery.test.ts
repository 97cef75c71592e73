import { describe, expect, onTestFinished, test } from "vitest";
import { parseTarget } from "../../fixtures/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/http/client.ts";
import type { Defect } from "../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { recover, workingReads } from "./recovery.ts";

const RUNNING = { interrupted: false };

/** A deployment with these changes, all of whose reads worked before the load. */
async function afterLoad(points: Defect["points"] = {}) {
  const fault: Defect = {
    id: "after-load",
    breaks: "the API is not what it was",
    operation: "createTransfer",
    on: ["createTransfer", "getProfile"],
    requirement: "R082",
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

const answering = (status: number): Defect["points"] => ({
  gate: () => ({ status, headers: {}, body: { status: "error", message: "no" } }),
});

describe("recover", () => {
  test("holds if a transfer and every read work that worked before, and keeps the transfer's entry", async () => {
    const { client } = await afterLoad();
    const working = await workingReads(client);

    const { entries, invariants } = await recover(client, working, "fresh-1", RUNNING);

    expect(invariants).toMatchObject([
      { id: "L13", state: "held", text: "a transfer and 5 reads worked after it" },
    ]);
    expect(entries).toMatchObject([{ reference: "fresh-1", outcome: "accepted", status: 200 }]);
  });

  test.each([
    ["broken", "crashes", 500],
    ["warned", "is refused, since a load may reach a limit", 400],
    ["warned", "is throttled", 429],
    ["warned", "is throttled with 503", 503],
  ])("is %s if the transfer %s", async (state, _, status) => {
    const { client } = await afterLoad(answering(status));

    const { invariants } = await recover(client, [], "fresh-1", RUNNING);

    expect(invariants).toMatchObject([{ state, references: ["0123abcd-recovery-1"] }]);
  });

  test("waits for a read to come back", async () => {
    const since = performance.now();
    const { client } = await afterLoad({
      gate: (answer) =>
        performance.now() - since < 800 ? { status: 502, headers: {}, body: undefined } : answer,
    });

    const { invariants } = await recover(client, ["getProfile"], undefined, RUNNING);

    expect(invariants).toMatchObject([{ state: "held", text: "1 read worked after it" }]);
  });

  test("sends nothing after an interrupt", async () => {
    const { client, sandbox } = await afterLoad();

    expect(await recover(client, ["getProfile"], "fresh-1", { interrupted: true })).toEqual({
      entries: [],
      invariants: [],
    });
    expect(sandbox.log).toEqual([]);
  });
});
