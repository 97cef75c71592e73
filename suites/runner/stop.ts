import { onStopSignal, STOP_SIGNALS } from "../../fixtures/config/signals.ts";
import { INTERRUPTED, OUT_OF_TIME } from "../../fixtures/run/run.ts";

/** A check that never ends gets this long after its run was told to stop. */
const GRACE_MS = 60_000;

/** What may stop a run before its last check. */
export interface Stop {
  /** Rejects if checks still run long after the run was told to stop. */
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
}: {
  readonly flag: Int32Array;
  readonly maxMinutes: number | undefined;
  readonly settleMs: number;
  readonly onInterrupt: () => void;
}): Stop {
  let grace: NodeJS.Timeout | undefined;
  let giveUp: (reason: Error) => void = () => {};
  const overdue = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const stop = (why: number) => {
    Atomics.store(flag, 0, why);
    grace ??= setTimeout(
      () => giveUp(new Error(`a check still ran ${GRACE_MS / 1000} s after the run was told to stop`)),
      GRACE_MS + settleMs,
    );
  };
  const onSignal = onStopSignal(
    () => {
      onInterrupt();
      stop(INTERRUPTED);
    },
    () => process.exit(130),
  );
  removeListeners();
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  const timer = maxMinutes && setTimeout(() => stop(OUT_OF_TIME), maxMinutes * 60_000);
  return {
    overdue,
    release: () => {
      clearTimeout(grace);
      if (timer) clearTimeout(timer);
      removeListeners();
    },
  };
}

/** vitest's own listeners would end the process within a millisecond. */
function removeListeners() {
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal);
}
