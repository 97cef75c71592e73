import { onStopSignal } from "../../fixtures/engine/config/signals.ts";
import { INTERRUPTED, OUT_OF_TIME, PULSE_MS, SHARED } from "../../fixtures/engine/run/shared.ts";

/** How long checks may still run after a signal, or when the time is up. */
const GRACE_MS = 60_000;

/** A worker without a pulse for this time is blocked for ever: the largest response takes it a second. */
const BLOCKED_MS = 60_000;

/** Factor by which the first pulse may be late, because the worker still loads its code. */
const LONG_START = 5;

/** What may stop a run before its last check. */
export interface Stop {
  /** Rejects if checks still run long after the run was stopped, or if one of them blocks the worker. */
  readonly overdue: Promise<never>;
  /** Forgets the signals and timers, once the checks have ended. */
  release(): void;
}

/**
 * Stops a run on a signal or when its time is up: no further check starts, and the running ones settle their money.
 * A second signal, two seconds later or more, ends the process at once. `flag` is shared with the worker.
 */
export function stopOnSignal({
  flag,
  maxMinutes,
  settleMs,
  onInterrupt,
  blockedMs = BLOCKED_MS,
}: {
  readonly flag: Int32Array;
  readonly maxMinutes: number | undefined;
  readonly settleMs: number;
  readonly onInterrupt: () => void;
  readonly blockedMs?: number;
}): Stop {
  let grace: NodeJS.Timeout | undefined;
  let giveUp: (reason: Error) => void = () => {};
  const overdue = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const stop = (why: number) => {
    Atomics.store(flag, SHARED.stopped, why);
    grace ??= setTimeout(
      () => giveUp(new Error(`a check still ran ${GRACE_MS / 1000} s after the run was stopped`)),
      GRACE_MS + settleMs,
    );
  };
  const ignoreSignals = onStopSignal(
    () => {
      onInterrupt();
      stop(INTERRUPTED);
    },
    () => process.exit(130),
  );
  const watch = watchPulse(flag, blockedMs, () =>
    giveUp(new Error(`a check has blocked the worker for ${blockedMs / 1000} s`)),
  );
  const timer = maxMinutes && setTimeout(() => stop(OUT_OF_TIME), maxMinutes * 60_000);
  return {
    overdue,
    release: () => {
      clearTimeout(grace);
      clearInterval(watch);
      if (timer) clearTimeout(timer);
      ignoreSignals();
    },
  };
}

/** Calls `onBlocked` when the pulse has stopped; it checks at the rate of the pulse, so that a sleeping machine stops both. */
function watchPulse(flag: Int32Array, blockedMs: number, onBlocked: () => void): NodeJS.Timeout {
  let [last, missed] = [0, 0];
  return setInterval(() => {
    const pulse = Atomics.load(flag, SHARED.pulse);
    missed = pulse === last ? missed + 1 : 0;
    last = pulse;
    if (missed * PULSE_MS >= (pulse > 0 ? 1 : LONG_START) * blockedMs) onBlocked();
  }, PULSE_MS);
}
