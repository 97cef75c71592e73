import { onStopSignal } from "../../fixtures/engine/config/signals.ts";
import { INTERRUPTED, OUT_OF_TIME, PULSE_MS, SHARED } from "../../fixtures/engine/run/shared.ts";

/** How long checks may still run when the time is up. */
const GRACE_MS = 60_000;

/** CI systems end a cancelled job after 8 to 10 s, and the reports take one or two of them. */
const INTERRUPT_GRACE_MS = 5_000;

/** A worker without a pulse for this time is blocked for ever: the largest response takes it a second. */
const BLOCKED_MS = 60_000;

/** Factor by which the first pulse may be late, because the worker still loads its code. */
const LONG_START = 5;

/** What may stop a run before its last check. */
export interface Stop {
  /**
   * Settles when no check may run any longer. Rejects if checks still run long after the time was up, or if one of them
   * blocks the worker; resolves if checks still run some seconds after an interrupt, which is nobody's fault.
   */
  readonly overdue: Promise<void>;
  /** Stops the run as a signal does. */
  now(): void;
  /** Forgets the signals and timers, once the checks have ended. */
  release(): void;
}

/**
 * Stops a run when its time is up, or at once on a signal: no further check starts, and what may have been paid is looked up.
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
  let endNow: () => void = () => {};
  const overdue = new Promise<void>((resolve, reject) => {
    endNow = resolve;
    giveUp = reject;
  });
  const stop = (why: number, graceMs: number, onOverdue: () => void) => {
    Atomics.store(flag, SHARED.stopped, why);
    clearTimeout(grace);
    grace = setTimeout(onOverdue, graceMs);
  };
  const interrupt = () => stop(INTERRUPTED, INTERRUPT_GRACE_MS, () => endNow());
  const ignoreSignals = onStopSignal(
    () => {
      onInterrupt();
      interrupt();
    },
    () => process.exit(130),
  );
  const watch = watchPulse(flag, blockedMs, () =>
    giveUp(new Error(`a check has blocked the worker for ${blockedMs / 1000} s`)),
  );
  const timeIsUp = () =>
    stop(OUT_OF_TIME, GRACE_MS + settleMs, () =>
      giveUp(new Error(`a check still ran ${GRACE_MS / 1000} s after the run was stopped`)),
    );
  const timer = maxMinutes && setTimeout(timeIsUp, maxMinutes * 60_000);
  return {
    overdue,
    now: interrupt,
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
