import type { Target } from "../../fixtures/config/target.ts";
import { waitsOf } from "../../fixtures/run/settling.ts";

/** Values to suggest for SETTLE_SECONDS: the first one that is this many times what the target needed. */
const SUGGESTED = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
const TIMES_NEEDED = 3;

/** A shorter wait is not worth a word. */
const SHORTEST_MS = 1_000;
/** A write that shows sooner shows at once: a look takes about as long. */
const AT_ONCE_MS = 250;

const secondsOf = ({ settleMs }: Target) => settleMs / 1000;

/** What the run waits for at the moment; `undefined` if it does not wait, or not long enough to read it. */
export function currentWait(shared: SharedArrayBuffer, target: Target): string | undefined {
  const { left } = waitsOf(shared);
  return left > 1
    ? `waiting up to ${left} s for accepted transfers to settle (SETTLE_SECONDS=${secondsOf(target)})`
    : undefined;
}

/** Says how long a deployment needed to show what it accepted, and which SETTLE_SECONDS would make the next run shorter. */
export function allWaits(shared: SharedArrayBuffer, target: Target): string {
  const { shownMs, waitedMs } = waitsOf(shared);
  if (target.embedded || waitedMs < SHORTEST_MS) return "";
  const suggested = SUGGESTED.find((seconds) => seconds * 1000 >= TIMES_NEEDED * (shownMs ?? 0));
  const sentences = [
    shownMs !== undefined &&
      `This deployment shows accepted writes ${shownMs < AT_ONCE_MS ? "at once" : `after at most ${(shownMs / 1000).toFixed(1)} s`}.`,
    `This run waited ${Math.round(waitedMs / 1000)} s in total for accepted writes to settle.`,
    shownMs !== undefined &&
      suggested !== undefined &&
      suggested < secondsOf(target) &&
      `SETTLE_SECONDS=${suggested} would do.`,
  ];
  return `${sentences.filter((sentence) => sentence !== false).join(" ")}\n\n`;
}
