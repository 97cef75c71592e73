import { describe, expect, it, vi } from "vitest";
import { readLine } from "../results/recording/lines.ts";
import { watchDoublePayouts, watchServerErrors } from "./guard.ts";

/** Watches a target that lists this number of payouts at each reading, while `reference identifier` are accepted. */
function watch(accepted: string, payoutsAt: (reading: number) => number) {
  const onProven = vi.fn();
  let readings = 0;
  const settle = vi.fn(async () => {
    readings += 1;
  });
  const listing = { control: 1, payouts: async () => payoutsAt(readings) };
  const read = watchDoublePayouts(async () => listing, settle, onProven);
  for (const one of accepted.split(", ")) {
    const [reference, identifier] = one.split(" ");
    read(readLine(JSON.stringify(["createTransfer", reference, "accepted", 200, identifier, [0, 0, 1]])));
  }
  return { onProven, settle };
}

describe("a double payout", () => {
  it("is proven if a reference got two identifiers and the list shows two payouts, twice", async () => {
    const { onProven } = watch("a T1, b T2, a T3", () => 2);

    await expect.poll(() => onProven.mock.calls).toEqual([["the API paid a twice"]]);
  });

  it.each<[string, string, (reading: number) => number, number]>([
    ["the list shows one payout", "a T1, a T2", () => 1, 1],
    ["the second row becomes a rejection", "a T1, a T2", (reading) => (reading < 2 ? 2 : 1), 2],
    ["the reference got one identifier, however often", "a T1, a T1, a T1", () => 2, 0],
  ])("is not proven if %s", async (_, accepted, payoutsAt, readings) => {
    const { onProven, settle } = watch(accepted, payoutsAt);

    await expect.poll(() => settle.mock.calls.length).toBe(readings);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onProven).not.toHaveBeenCalled();
  });
});

/** When and why a load is stopped that has this number of server errors among the ten responses of each second. */
function stopped(seconds: number, errorsOf: (second: number) => number) {
  const reasons: string[] = [];
  const read = watchServerErrors((reason) => reasons.push(reason));
  for (let iteration = 0; iteration < seconds * 10; iteration += 1) {
    const outcome = iteration % 10 < errorsOf(Math.floor(iteration / 10)) ? "server-error" : "accepted";
    read(readLine(JSON.stringify(["qr", null, outcome, 200, null, [iteration, iteration * 100, 5]])));
    if (reasons.length > 0) return `${iteration / 10} s: ${reasons}`;
  }
  return "";
}

it.each<[string, string, number, (second: number) => number]>([
  ["30 s: 180 of 300 responses within 30 s were server errors", "six in ten fail", 60, () => 6],
  ["76 s: ", "the last 30 s are bad, however well it went before", 120, (second) => (second < 60 ? 0 : 10)],
  ["", "half of the responses fail", 90, () => 5],
  ["", "everything fails for 14 s", 90, (second) => (second >= 40 && second < 54 ? 10 : 0)],
  ["", "it fails from its beginning, for less than 30 s", 29, () => 10],
])("a load is stopped at %j if %s", (found, _, seconds, errorsOf) => {
  expect(stopped(seconds, errorsOf)).toMatch(found === "" ? /^$/ : new RegExp(`^${found}`));
});
