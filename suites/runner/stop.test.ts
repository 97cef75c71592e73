import { expect, test } from "vitest";
import { PULSE } from "../../fixtures/engine/run/run.ts";
import { stopOnSignal } from "./stop.ts";

const watched = (flag: Int32Array) =>
  stopOnSignal({ flag, maxMinutes: undefined, settleMs: 0, onInterrupt: () => {}, blockedMs: 1000 });

test("a worker whose pulse stops is given up", async () => {
  const flag = new Int32Array(2);
  flag[PULSE] = 3;
  const stop = watched(flag);

  await expect(stop.overdue).rejects.toThrow("a check has blocked the worker for 1 s");
  stop.release();
});

test("a worker that has not begun, or whose pulse beats, is not", async () => {
  const [waiting, beating] = [new Int32Array(2), new Int32Array(2)];
  const stops = [watched(waiting), watched(beating)];
  const beat = setInterval(() => Atomics.add(beating, PULSE, 1), 100);

  const ended = await Promise.race([
    ...stops.map(({ overdue }) => overdue.catch(() => "given up")),
    new Promise((resolve) => setTimeout(resolve, 2500, "still watched")),
  ]);

  clearInterval(beat);
  for (const stop of stops) stop.release();
  expect(ended).toBe("still watched");
});
