import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SHARED } from "../../fixtures/engine/run/shared.ts";
import { stopOnSignal } from "./stop.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What became of a worker with this flag some seconds later. */
async function fateOf(flag: Int32Array) {
  const stop = stopOnSignal({
    flag,
    maxMinutes: undefined,
    settleMs: 0,
    onInterrupt: () => {},
    blockedMs: 1000,
  });
  const fate = Promise.race([
    stop.overdue.catch(({ message }: Error) => message),
    new Promise((resolve) => setTimeout(resolve, 2500, "still watched")),
  ]);
  await vi.advanceTimersByTimeAsync(2500);
  stop.release();
  return fate;
}

test("a worker whose pulse stops is given up", async () => {
  const flag = new Int32Array(2);
  flag[SHARED.pulse] = 3;

  expect(await fateOf(flag)).toContain("a check has blocked the worker for 1 s");
});

test("a worker that has not begun, or whose pulse beats, is not", async () => {
  const beating = new Int32Array(2);
  const beat = setInterval(() => Atomics.add(beating, SHARED.pulse, 1), 100);

  expect(await fateOf(beating)).toBe("still watched");
  clearInterval(beat);
  expect(await fateOf(new Int32Array(2))).toBe("still watched");
});
