/** A set of iteration numbers, one bit each: ten million iterations take 1.25 MB. */
export class IterationSet {
  #bits = new Uint8Array(1024);
  size = 0;
  /** One more than the highest number. */
  length = 0;

  add(iteration: number) {
    this.length = Math.max(this.length, iteration + 1);
    const byte = iteration >> 3;
    const mask = 1 << (iteration & 7);
    if (byte >= this.#bits.length) this.#grow(byte);
    if (((this.#bits[byte] ?? 0) & mask) !== 0) return;
    this.#bits[byte] = (this.#bits[byte] ?? 0) | mask;
    this.size += 1;
  }

  #grow(byte: number) {
    const larger = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2));
    larger.set(this.#bits);
    this.#bits = larger;
  }
}
