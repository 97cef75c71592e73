import { describe, expect, test } from "vitest";
import { loadFaults } from "../../fixtures/proof/faults/under-load/load-faults.ts";
import { faultCalled, loadDeployment, loadTest } from "../testing/load-command.ts";

describe("a deployment that is correct until it is under load", () => {
  /** 1,200 requests, 840 of them new transfers: one in 500 of them is lost. */
  const loaded = (args: string, names: readonly string[]) =>
    loadDeployment(args, {
      changes: names.map((name) => faultCalled(`under-load/${name}`)),
      RATE: "400",
      DURATION: "3s",
    });

  /** Faults that show in one run: its profile, their names, the invariants that they break at least, and the exit code. */
  const GROUPS: readonly (readonly [string, readonly string[], readonly string[], (0 | 1)?])[] = [
    ["smoke", [], [], 0],
    // A client counts a payout for each identifier, although the list shows one.
    ["smoke", ["replayed-with-new-id"], ["L2 held", "L3 broken"]],
    [
      "smoke",
      ["lost", "shape-broken", "any-key-accepted", "pages-too-long"],
      ["L1 broken", "L9 broken", "L10 broken", "L11 broken"],
    ],
    ["smoke", ["throttled-but-paid", "answers-swapped"], ["L5 broken", "L8 broken"]],
    [
      "smoke",
      ["unanswered-and-paid-twice", "paid-under-another-reference"],
      ["L2 broken", "L6 broken", "L7 broken"],
    ],
    ["smoke", ["no-recovery"], ["L13 broken"]],
    ["smoke", ["identifier-shared"], ["L4 broken"]],
    // A race needs requests that do not wait for each other.
    ["average", ["paid-twice-in-a-race"], ["L2 broken"]],
  ];

  loadTest.for(GROUPS)("%s of %j shows %j, and where", async ([profile, names, shown, expected = 1]) => {
    const { code, result } = await loaded(`transfers --profile ${profile}`, names);

    const found = result.invariants.map(({ id, state }) => `${id} ${state}`);
    expect({ code, found }).toEqual({ code: expected, found: expect.arrayContaining([...shown]) });
    for (const { id, state, references } of result.invariants)
      if (state === "broken") expect(references.length, id).toBeGreaterThan(0);
  });

  loadTest("breaks L14 if a soak slows it down", async ({ skip }) => {
    const { code, result } = await loaded("transfers --profile soak", ["leak"]);
    if (result.validity !== "valid") skip("this machine is so busy that k6 or the sandbox is late");

    expect({ code, because: result.because }).toEqual({
      code: 1,
      because: expect.stringMatching(
        /L14 \(responses do not slow down over the run\): .*createTransfer took \d+ ms in the last tenth/,
      ),
    });
  });

  loadTest("breaks L13 under the default workload if rejections wear it out", async () => {
    const { code, stdout, stderr, result } = await loaded("--profile smoke", ["rejections-leak"]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^Workload everything, /m);
    expect(result.invariants.find(({ id }) => id === "L13")).toMatchObject({
      state: "broken",
      text: expect.stringMatching(
        /^refundTransaction\.transaction-unknown returned 500, and worked before the load/,
      ),
    });
  });

  test("has no fault that no test has", () => {
    const tested = [...GROUPS.flatMap(([, names]) => names), "leak", "rejections-leak"];

    expect(tested.map((name) => `under-load/${name}`).toSorted()).toEqual(
      loadFaults.map(({ id }) => id).toSorted(),
    );
  });
});
