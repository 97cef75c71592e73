import { describe, expect, it, vi } from "vitest";
import { readLine } from "../results/recording/log-line.ts";
import { watchDoublePayouts, watchServerErrors } from "./guard.ts";

const accepted = (reference: string, identifier: string) =>
  readLine(JSON.stringify(["createTransfer", reference, "accepted", 200, identifier, [0, 0, 0, 1]]));

/** Watches a target that lists this number of payouts for a reference, at each reading. */
function watch(payoutsAt: (reading: number) => number) {
  const onProven = vi.fn();
  let readings = 0;
  const settle = vi.fn(async () => {
    readings += 1;
  });
  const listing = { control: 1, payouts: async () => payoutsAt(readings) };
  return { read: watchDoublePayouts(async () => listing, settle, onProven), onProven, settle };
}

describe("a double payout", () => {
  it("is proven if a reference got two identifiers and the list shows two payouts, twice", async () => {
    const { read, onProven } = watch(() => 2);

    for (const line of [accepted("a", "T1"), accepted("b", "T2"), accepted("a", "T3")]) read(line);

    await expect.poll(() => onProven.mock.calls).toEqual([["the API paid a twice"]]);
  });

  it.each([
    ["the list shows one payout", ["T1", "T2"], () => 1, 1],
    ["the second row becomes a rejection", ["T1", "T2"], (reading: number) => (reading < 2 ? 2 : 1), 2],
    ["the reference got one identifier, however often", ["T1", "T1", "T1"], () => 2, 0],
  ])("is not proven if %s", async (_, identifiers, payoutsAt, readings) => {
    const { read, onProven, settle } = watch(payoutsAt);

    for (const identifier of identifiers) read(accepted("a", identifier));

    await expect.poll(() => settle.mock.calls.length).toBe(readings);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onProven).not.toHaveBeenCalled();
  });
});

/** The second at which a load is stopped that has this number of server errors among the ten responses of each second. */
function stoppedAt(seconds: number, errorsOf: (second: number) => number) {
  const reasons: string[] = [];
  const read = watchServerErrors((reason) => reasons.push(reason));
  for (let iteration = 0; iteration < seconds * 10 && reasons.length === 0; iteration += 1) {
    const isError = iteration % 10 < errorsOf(Math.floor(iteration / 10));
    const line = [
      "qr",
      null,
      isError ? "server-error" : "accepted",
      200,
      null,
      [iteration, 0, iteration * 100, 5],
    ];
    read(readLine(JSON.stringify(line)));
    if (reasons.length > 0) return { at: iteration / 10, reason: reasons[0] };
  }
  return undefined;
}

describe("a load that fails", () => {
  it("is stopped when more than half of 30 s were server errors", () => {
    expect(stoppedAt(60, () => 6)).toEqual({
      at: 30,
      reason: "180 of 300 responses within 30 s were server errors",
    });
  });

  it("is stopped when the last 30 s are that bad, however long it went well before", () => {
    expect(stoppedAt(120, (second) => (second < 60 ? 0 : 10))?.at).toBe(76);
  });

  it.each([
    ["half of the responses fail", 90, () => 5],
    ["everything fails for 14 s", 90, (second: number) => (second >= 40 && second < 54 ? 10 : 0)],
    ["it fails from its beginning, for less than 30 s", 29, () => 10],
  ])("goes on if %s", (_, seconds, errorsOf) => {
    expect(stoppedAt(seconds, errorsOf)).toBeUndefined();
  });
});
