import { onStopSignal, STOP_SIGNALS } from "../../../fixtures/engine/config/signals.ts";

/**
 * Handles Ctrl-C: the first signal stops the load, which is then reconciled; a second one, two seconds later or more,
 * ends the process.
 */
export class StopSignal {
  interrupted = false;
  #stop: () => void = () => {};

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Registers what stops the load; calls it at once if the signal has already come. */
  onStop = (stop: () => void) => {
    this.#stop = stop;
    if (this.interrupted) stop();
  };

  release() {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.#onSignal);
  }

  #onSignal = onStopSignal(
    () => {
      this.interrupted = true;
      process.stderr.write(
        "\nStopping the load and reconciling what was sent. Press Ctrl-C again to exit at once.\n",
      );
      this.#stop();
    },
    () => process.exit(130),
  );
}
