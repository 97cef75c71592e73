import type { Line } from "../../results/recording/answers.ts";

/** A target that fails so often for so long gets no further load. */
const WINDOW_SECONDS = 30;
const MOST_FAILING = 0.5;

/** What came back within one second. */
interface Second {
  readonly second: number;
  answers: number;
  errors: number;
}

/** Watches the share of server errors in the last half minute of a load. */
export class ServerErrors {
  readonly #onTooMany: (reason: string) => void;
  #current: Second = { second: 0, answers: 0, errors: 0 };
  #earlier: Second[] = [];

  constructor(onTooMany: (reason: string) => void) {
    this.#onTooMany = onTooMany;
  }

  add(line: Line | undefined) {
    if (line?.kind !== "answer") return;
    const second = Math.floor((line.startedMs + line.tookMs) / 1000);
    if (second > this.#current.second) this.#begin(second);
    this.#current.answers += 1;
    if (line.outcome === "server-error") this.#current.errors += 1;
  }

  /** Judges the seconds before this one. */
  #begin(second: number) {
    this.#earlier = [...this.#earlier, this.#current].filter((one) => one.second >= second - WINDOW_SECONDS);
    this.#current = { second, answers: 0, errors: 0 };
    if (second < WINDOW_SECONDS) return;
    const sum = (of: "answers" | "errors") => this.#earlier.reduce((all, one) => all + one[of], 0);
    if (sum("errors") > sum("answers") * MOST_FAILING)
      this.#onTooMany(
        `${sum("errors")} of ${sum("answers")} responses within ${WINDOW_SECONDS} s were server errors`,
      );
  }
}
