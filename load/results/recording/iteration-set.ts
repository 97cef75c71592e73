/** A set of iteration numbers below `end`, one byte for each. */
export class IterationSet {
  readonly #isIn: Uint8Array;
  size = 0;
  /** One more than the highest number. */
  length = 0;

  constructor(end: number) {
    this.#isIn = new Uint8Array(end);
  }

  add(iteration: number): void {
    if (this.#isIn[iteration] !== 1) this.size += 1;
    this.#isIn[iteration] = 1;
    this.length = Math.max(this.length, iteration + 1);
  }
}
