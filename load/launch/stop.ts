/** Follows Ctrl-C: the first signal stops the load, what was sent is still reconciled; a second one ends at once. */
export class StopSignal {
  #interrupted = false;
  #stop: () => void = () => {};

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, this.#onSignal);
  }

  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** Says what stops the load; called at once where the signal came first. */
  onStop = (stop: () => void) => {
    this.#stop = stop;
    if (this.#interrupted) stop();
  };

  release() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, this.#onSignal);
  }

  #onSignal = () => {
    if (this.#interrupted) process.exit(130);
    this.#interrupted = true;
    process.stderr.write(
      "\nStopping the load; what was sent is reconciled. Press Ctrl-C again to end at once.\n",
    );
    this.#stop();
  };
}
