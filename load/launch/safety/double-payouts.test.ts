import { describe, expect, it, vi } from "vitest";
import { readLine } from "../../results/recording/answers.ts";
import { DoublePayouts } from "./double-payouts.ts";

const accepted = (reference: string, identifier: string) =>
  readLine(JSON.stringify(["createTransfer", reference, "accepted", 200, identifier, [0, 0, 0, 1]]));

/** Watches a target that lists this number of payouts for a reference, at each reading. */
function watch(payoutsAt: (reading: number) => number) {
  const onProven = vi.fn();
  let readings = 0;
  const settle = vi.fn(async () => {
    readings += 1;
  });
  const learnListing = async () => ({ control: 1, payouts: async () => payoutsAt(readings) });
  return { payouts: new DoublePayouts(learnListing, settle, onProven), onProven, settle };
}

describe("DoublePayouts", () => {
  it("proves a double payout if a reference got two identifiers and the list shows two payouts, twice", async () => {
    const { payouts, onProven } = watch(() => 2);

    for (const line of [accepted("a", "T1"), accepted("b", "T2"), accepted("a", "T3")]) payouts.add(line);

    await expect.poll(() => onProven.mock.calls).toEqual([["the API paid a twice"]]);
  });

  it.each([
    ["the list shows one payout", () => 1],
    ["the second row becomes a rejection", (reading: number) => (reading < 2 ? 2 : 1)],
  ])("proves nothing if %s", async (_, rowsAt) => {
    const { payouts, onProven, settle } = watch(rowsAt);

    payouts.add(accepted("a", "T1"));
    payouts.add(accepted("a", "T2"));

    await expect.poll(() => settle.mock.calls.length).toBeGreaterThan(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onProven).not.toHaveBeenCalled();
  });

  it("looks nothing up for a reference that got one identifier, however often", async () => {
    const { payouts, settle } = watch(() => 2);

    for (let sent = 0; sent < 3; sent += 1) payouts.add(accepted("a", "T1"));

    await new Promise((resolve) => setImmediate(resolve));
    expect(settle).not.toHaveBeenCalled();
  });
});
