import { describe, expect, test } from "vitest";
import { loadFaults } from "../../fixtures/mutants/faults/under-load/load-faults.ts";
import { faultCalled, invariantsIn, loadDeployment } from "../testing/load-command.ts";

const fault = (name: string) => faultCalled(`under-load/${name}`);

const [NEW_IDS, LEAK, REJECTIONS_LEAK] = ["replayed-with-new-id", "leak", "rejections-leak"] as const;

/** 1,200 requests, 840 of them new transfers: one in 500 of them is lost. */
const MUCH = { RATE: "400", DURATION: "3s" };

/** Faults that show in one run: its profile, their names, and the invariants that they break at least. */
const GROUPS = [
  ["smoke", ["lost", "shape-broken", "any-key-accepted", "pages-too-long"], ["L1", "L9", "L10", "L11"]],
  ["smoke", ["throttled-but-paid", "answers-swapped", "never-settles"], ["L5", "L8", "L12"]],
  [
    "smoke",
    ["unanswered-and-paid-twice", "paid-under-another-reference", "lookups-swapped"],
    ["L2", "L6", "L7", "L8"],
  ],
  ["smoke", ["no-recovery"], ["L13"]],
  ["smoke", ["identifier-shared"], ["L4"]],
  // A race needs requests that do not wait for each other.
  ["average", ["paid-twice-in-a-race"], ["L2"]],
] as const;

describe("a deployment that is correct until it is under load", () => {
  test.for(GROUPS)("%s of %j breaks %j, and says where", async ([profile, names, broken], context) => {
    const changes = names.map(fault);

    const { code, result } = await loadDeployment(context, ["transfers", "--profile", profile], {
      changes,
      ...MUCH,
    });

    expect({ code, broken: invariantsIn(result, "broken") }).toEqual({
      code: 1,
      broken: expect.arrayContaining([...broken]),
    });
    for (const { id, state, references } of result.invariants)
      if (state === "broken") expect(references.length, id).toBeGreaterThan(0);
  });

  test.for([
    ["passes if it stays correct", [], []],
    // The API may have an identifier for each request.
    ["is warned of L3 if retries get a new transactionId and are paid once", [NEW_IDS], ["L3"]],
  ] as const)("%s", async ([, names, warned], context) => {
    const changes = names.map(fault);

    const { code, result } = await loadDeployment(context, ["transfers", "--profile", "smoke"], {
      changes,
      ...MUCH,
    });

    const [found, undecided] = [invariantsIn(result, "warned"), invariantsIn(result, "undecided")];
    expect({ code, found, undecided }).toEqual({ code: 0, found: warned, undecided: [] });
  });

  test("has no fault that no test has", () => {
    const tested = [...GROUPS.flatMap(([, names]) => names), NEW_IDS, LEAK, REJECTIONS_LEAK];

    expect(tested.map((name) => `under-load/${name}`).toSorted()).toEqual(
      loadFaults.map(({ id }) => id).toSorted(),
    );
  });

  test("breaks L14 if a soak slows it down", async (context) => {
    const changes = [fault(LEAK)];

    const { code, result } = await loadDeployment(context, ["transfers", "--profile", "soak"], {
      changes,
      ...MUCH,
    });
    if (result.validity === "generator-limited")
      context.skip("this machine is so busy that k6 itself is late");

    expect({ code, because: result.because }).toEqual({
      code: 1,
      because: expect.stringMatching(
        /L14 \(responses do not slow down over the run\): createTransfer took \d+ ms in the last tenth/,
      ),
    });
  });

  test("breaks L13 under the default workload if rejections wear it out", async (context) => {
    const changes = [fault(REJECTIONS_LEAK)];

    const { code, stdout, stderr, result } = await loadDeployment(context, ["--profile", "smoke"], {
      changes,
      ...MUCH,
    });

    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^Workload everything, .*\nLeft out of it:\n {2}createPaymentPage: set ALLOW_CREATE=true\n/m,
    );
    expect(result.invariants.find(({ id }) => id === "L13")).toMatchObject({
      state: "broken",
      text: expect.stringMatching(
        /^refundTransaction\.transaction-unknown returned 500, and worked before the load/,
      ),
    });
    // All five kinds of payments were reserved and sent once before the load and once after it.
    const { refundTransaction, ...operations } = result.measured?.operations ?? {};
    expect(refundTransaction?.outcomes["server-error"]).toBeGreaterThan(0);
    const paid = Object.entries(operations).flatMap(([name, { outcomes }]) =>
      /^(create|initialize)/.test(name) ? (outcomes.accepted ?? 0) : [],
    );
    expect(paid).toHaveLength(5);
    expect(result.money.kept.count).toBe(paid.reduce((sum, count) => sum + count, 2 * paid.length));
  });
});
