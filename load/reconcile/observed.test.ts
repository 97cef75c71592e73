import { describe, expect, it } from "vitest";
import type { InvariantId } from "../results/invariant.ts";
import { readLine } from "../results/recording/log-line.ts";
import { exampleMeasurements, LOGGED_END, loggedResponse, recorded } from "../testing/example-result.ts";
import { Journal } from "./journal.ts";
import { judgeObserved, type Observed } from "./observed.ts";

const profile = { name: "average", model: "open", rate: 20, seconds: 60 } as const;
const soak = { name: "soak", model: "open", rate: 10, seconds: 100 } as const;

const broken = (reference: string) => ({ state: "broken", references: [reference] });

function judged(log: readonly string[], change: Partial<Observed> = {}) {
  const journal = new Journal();
  for (const line of log) journal.add(readLine(line));
  const invariants = judgeObserved({
    run: { profile },
    measured: exampleMeasurements(),
    validity: "valid",
    sightings: journal.sightings,
    mixedUp: [],
    ...change,
  });
  return (id: InvariantId) => invariants.find((one) => one.id === id);
}

const outcome = (one: string) => recorded([loggedResponse({ iteration: 0, outcome: one })]).summary();

describe("what k6 saw", () => {
  it.each<[string, string[], Partial<Observed>, Partial<Record<InvariantId, object | undefined>>]>([
    [
      "speaks against nothing",
      ['["bad-key-rejected","r"]', '["page-in-bounds","r"]'],
      {},
      { L8: { state: "held" }, L9: { state: "held" }, L10: { state: "held" }, L11: { state: "held" } },
    ],
    ["is the data of another request", ['["foreign-reference","where"]'], {}, { L8: broken("where") }],
    ["was swapped, as the list shows", [], { mixedUp: ["a"] }, { L8: broken("a") }],
    ["is another amount", ['["other-amount","a"]'], {}, { L8: { state: "warned", references: ["a"] } }],
    [
      "has another shape than documented",
      ['["malformed","a"]'],
      { measured: outcome("malformed") },
      { L9: { ...broken("a"), text: "1 of 1 requests got a malformed response" } },
    ],
    [
      "is no usable response",
      [],
      { measured: outcome("timeout") },
      { L8: { state: "unjudged" }, L9: { state: "unjudged" } },
    ],
    [
      "accepts a key that was never issued",
      ['["bad-key-accepted","where"]', '["bad-key-rejected","r"]'],
      {},
      { L10: broken("where") },
    ],
    ["is a long page", ['["page-too-long","where"]', '["page-in-bounds","r"]'], {}, { L11: broken("where") }],
    [
      "was never probed, or is torn",
      ['["bad-key-accepted","a"'],
      {},
      { L10: undefined, L11: undefined, L14: undefined },
    ],
  ])("%s", (_, log, change, expected) => {
    const found = judged(log, change);

    for (const [id, what] of Object.entries(expected)) {
      const one = found(id as InvariantId);
      if (what === undefined) expect(one).toBeUndefined();
      else expect(one).toMatchObject(what);
    }
  });
});

describe("L14", () => {
  /** 100 s at 10 requests per second, each of which takes as long as its second says. */
  const soaked = (latencyMsOf: (second: number) => number) => {
    const lines = Array.from({ length: 1000 }, (_, iteration) =>
      loggedResponse({ iteration, dueMs: iteration * 100, latencyMs: latencyMsOf(iteration / 10) }),
    );
    const measured = recorded([...lines, LOGGED_END]).summary();
    return (change: Partial<Observed> = {}) =>
      judged([], { run: { profile: soak }, measured, ...change })("L14");
  };

  it("is broken if the last tenth of a soak took more than twice as long as the first one", () => {
    expect(soaked((second) => 20 + second / 2)()).toMatchObject({
      state: "broken",
      text: expect.stringMatching(
        /^createTransfer took 6\d ms in the last tenth and 2\d ms in the first one/,
      ),
    });
  });

  it.each([
    ["it slows down by less", (second: number) => 20 + second / 10],
    ["it is slow in between", (second: number) => (second > 40 && second < 60 ? 500 : 20)],
    ["it is so fast that the difference is noise", (second: number) => 1 + second / 20],
  ])("holds if %s", (_, latencyMsOf) => {
    expect(soaked(latencyMsOf)()?.state).toBe("held");
  });

  it("is not judged if k6 itself was too slow", () => {
    expect(soaked((second) => second)({ validity: "generator-limited" })?.state).toBe("unjudged");
  });
});
