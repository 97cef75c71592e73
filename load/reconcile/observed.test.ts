import { describe, expect, it } from "vitest";
import type { InvariantId } from "../results/invariant.ts";
import { readLine } from "../results/recording/answers.ts";
import { exampleMeasurements, LOGGED_END, loggedAnswer, recorded } from "../testing/example-result.ts";
import { Journal } from "./journal.ts";
import { judgeObserved, type Observed } from "./observed.ts";

const profile = { name: "average", model: "open", rate: 20, seconds: 60 } as const;
const soak = { name: "soak", model: "open", rate: 10, seconds: 100 } as const;

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

describe("judgeObserved", () => {
  it("holds what nothing speaks against", () => {
    const found = judged(['["bad-key-rejected","r-1"]', '["page-in-bounds","r-2"]']);

    for (const id of ["L8", "L9", "L10", "L11"] as const) expect(found(id)?.state).toBe("held");
  });

  it.each([
    ["L8", "foreign-reference"],
    ["L10", "bad-key-accepted"],
    ["L11", "page-too-long"],
  ] as const)("breaks %s if k6 saw %s once, and names where", (id, evidence) => {
    const found = judged([`["${evidence}","where"]`, '["bad-key-rejected","r"]', '["page-in-bounds","r"]']);

    expect(found(id)).toMatchObject({ state: "broken", references: ["where"] });
  });

  it("breaks L8 if the list shows that responses were swapped", () => {
    expect(judged([], { mixedUp: ["a"] })("L8")).toMatchObject({ state: "broken", references: ["a"] });
  });

  it("only warns of another amount", () => {
    expect(judged(['["other-amount","a"]'])("L8")).toMatchObject({ state: "warned", references: ["a"] });
  });

  it("breaks L9 if a response has another shape than documented", () => {
    const measured = recorded([loggedAnswer({ iteration: 0, outcome: "malformed" })]).summary();

    expect(judged(['["malformed","a"]'], { measured })("L9")).toMatchObject({
      state: "broken",
      text: "1 of 1 requests got a malformed response",
      references: ["a"],
    });
  });

  it("does not judge L8 and L9 if no request got a usable response", () => {
    const measured = recorded([loggedAnswer({ iteration: 0, outcome: "timeout" })]).summary();
    const found = judged([], { measured });

    expect([found("L8")?.state, found("L9")?.state]).toEqual(["unjudged", "unjudged"]);
  });

  it("says nothing of what was never probed", () => {
    const found = judged([]);

    expect([found("L10"), found("L11"), found("L14")]).toEqual([undefined, undefined, undefined]);
  });

  it("drops a torn line", () => {
    expect(judged(['["bad-key-accepted","a"'])("L10")).toBeUndefined();
  });
});

describe("L14", () => {
  /** 100 s at 10 requests per second, each of which takes as long as its second says. */
  const soaked = (latencyMsOf: (second: number) => number) => {
    const lines = Array.from({ length: 1000 }, (_, iteration) =>
      loggedAnswer({ iteration, dueMs: iteration * 100, latencyMs: latencyMsOf(iteration / 10) }),
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
