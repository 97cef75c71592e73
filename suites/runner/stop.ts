import { onStopSignal } from "../../fixtures/engine/config/signals.ts";
import type { RunState, Stopped } from "../../fixtures/engine/run/state.ts";

/** How long checks may still run when the time is up. */
const GRACE_MS = 60_000;

/** CI systems end a cancelled job after 8 to 10 s, and the reports take one or two of them. */
const INTERRUPT_GRACE_MS = 5_000;

/** What may stop a run before its last check. */
export interface Stop {
  /**
   * Settles when no check may run any longer. Rejects if checks still run long after the time was up; resolves if they still
   * run some seconds after an interrupt, which is nobody's fault.
   */
  readonly overdue: Promise<void>;
  /** Stops the run as a signal does. */
  now(): void;
  /** Forgets the signals and timers, once the checks have ended. */
  release(): void;
}

/**
 * Stops a run when its time is up, or at once on a signal: no further check starts, and what may have been paid is looked up.
 * A second signal, two seconds later or more, ends the process at once.
 */
export function stopOnSignal({
  state,
  maxMinutes,
  settleMs,
  onInterrupt,
}: {
  readonly state: RunState;
  readonly maxMinutes: number | undefined;
  readonly settleMs: number;
  readonly onInterrupt: () => void;
}): Stop {
  let grace: NodeJS.Timeout | undefined;
  let giveUp: (reason: Error) => void = () => {};
  let endNow: () => void = () => {};
  const overdue = new Promise<void>((resolve, reject) => {
    endNow = resolve;
    giveUp = reject;
  });
  const stop = (why: Stopped, graceMs: number, onOverdue: () => void) => {
    state.stop(why);
    clearTimeout(grace);
    grace = setTimeout(onOverdue, graceMs);
  };
  const interrupt = () => stop("interrupted", INTERRUPT_GRACE_MS, () => endNow());
  const ignoreSignals = onStopSignal(
    () => {
      onInterrupt();
      interrupt();
    },
    () => process.exit(130),
  );
  const timeIsUp = () =>
    stop("out-of-time", GRACE_MS + settleMs, () =>
      giveUp(new Error(`a check still ran ${GRACE_MS / 1000} s after the run was stopped`)),
    );
  const timer = maxMinutes && setTimeout(timeIsUp, maxMinutes * 60_000);
  return {
    overdue,
    now: interrupt,
    release: () => {
      clearTimeout(grace);
      if (timer) clearTimeout(timer);
      ignoreSignals();
    },
  };
}
