import { describe, expect, it } from "vitest";
import { profiles } from "../k6/profiles.ts";
import { readLine } from "../results/recording/lines.ts";
import { Recording } from "../results/recording/recording.ts";
import { inShort } from "../testing/example-load.ts";
import { EXAMPLE_RUN, exampleMeasurements, loggedResponse, recorded } from "../testing/example-result.ts";
import { judgeObserved, type Observed } from "./evidence.ts";

const profile = { name: "average", ...profiles.average };
const soak = { ...profile, name: "soak" };

function judged(log: readonly string[], change: Partial<Observed> = {}) {
  const recording = new Recording(EXAMPLE_RUN);
  for (const line of log) recording.add(readLine(line), "log");
  const { sightings } = recording;
  const nothing = { run: { profile }, measured: exampleMeasurements(), mixedUp: [] };
  return judgeObserved({ ...nothing, sightings, ...change });
}

const outcome = (one: string) => ({
  measured: recorded([loggedResponse({ iteration: 0, outcome: one })]),
});
const GOOD = ['["bad-key-rejected","r"]', '["page-in-bounds","r"]'];
const HELD = "L8 held, L9 held";

it.each<[string, string, string[], Partial<Observed>?]>([
  ["speaks against nothing", `${HELD}, L10 held, L11 held`, GOOD],
  ["was never probed, or is torn", HELD, ['["bad-key-accepted","a"']],
  ["is the data of another request", "L8 broken r, L9 held", ['["foreign-reference","r"]']],
  ["was swapped, as the list shows", "L8 broken a, L9 held", [], { mixedUp: ["a"] }],
  ["has an undocumented shape", "L8 unjudged, L9 broken a", ['["malformed","a"]'], outcome("malformed")],
  ["is no usable response", "L8 unjudged, L9 unjudged", [], outcome("timeout")],
  ["accepts any key", `${HELD}, L10 broken b, L11 held`, [...GOOD, '["bad-key-accepted","b"]']],
  ["is a long page", `${HELD}, L10 held, L11 broken p`, [...GOOD, '["page-too-long","p"]']],
])("what k6 saw %s", (_, found, log, change) => {
  expect(inShort(judged(log, change))).toBe(found);
});

const LATE = { ...exampleMeasurements(), scheduleLagMs: 500 };

describe("L14", () => {
  /** 60 s at 20 requests per second, each of which takes as long as its second says. */
  const soaked = (latencyMsOf: (second: number) => number, change: Partial<Observed> = {}) => {
    const lines = Array.from({ length: 1200 }, (_, iteration) =>
      loggedResponse({ iteration, latencyMs: latencyMsOf(iteration / 20) }),
    );
    return judged([], { run: { profile: soak }, measured: recorded(lines), ...change }).at(-1);
  };

  it("is broken if the last tenth of a soak took more than twice as long as the first one", () => {
    expect(soaked((second) => 20 + second)).toMatchObject({
      state: "broken",
      text: expect.stringMatching(
        /^createTransfer took 7\d ms in the last tenth and 2\d ms in the first one/,
      ),
    });
  });

  it.each<[string, string, (second: number) => number, Partial<Observed>?]>([
    ["held", "it slows down by less", (second) => 20 + second / 6],
    ["held", "it is slow in between", (second) => (second > 25 && second < 35 ? 500 : 20)],
    ["held", "the difference may be noise", (second) => 1 + second / 12],
    ["unjudged", "k6 was slow", (second) => second, { measured: LATE }],
  ])("is %s if %s", (state, _, latencyMsOf, change) => {
    expect(soaked(latencyMsOf, change)).toMatchObject({ id: "L14", state });
  });
});
