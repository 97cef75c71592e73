/** Buckets per doubling of the value: each is at most 1.6 % wide. */
const PER_DOUBLING = 64;
/** Values below 2 ** -3 = 0.125 ms share the first bucket, values from 2 ** 20 ms = 17 min on the last one. */
const LOWEST = -3;
const HIGHEST = 20;
const LAST = (HIGHEST - LOWEST) * PER_DOUBLING + 1;

/** Counts durations in fixed buckets, so that those of several runs or machines can be added up, which percentiles cannot. */
export class Histogram {
  readonly #counts = new Map<number, number>();
  count = 0;
  min = Infinity;
  max = 0;
  sum = 0;

  add(milliseconds: number): void {
    this.#include([[bucketOf(milliseconds), 1]], { min: milliseconds, max: milliseconds, sum: milliseconds });
  }

  addAll(other: Histogram): this {
    return this.#include(other.#counts, other);
  }

  /** The value that the share `part` (0 to 1) of all values does not exceed, right to the width of a bucket. */
  percentile(part: number): number {
    return Math.min(this.max, Math.max(this.min, this.#at(part).value));
  }

  /** Whether a percentile surely exceeds `limit`: within its bucket, a value may be anywhere. */
  exceeds(limit: number, part: number): boolean {
    return Math.max(this.min, this.#at(part).from) > limit;
  }

  /** `buckets` has `<bucket>:<count>` for each bucket that is not empty. */
  toJSON() {
    const { min, max, sum } = this;
    const buckets = this.#sorted().map((pair) => pair.join(":"));
    return { min, max, sum, buckets: buckets.join(" ") };
  }

  /** The bucket of a percentile, and its value if the values of the bucket lie evenly in it. */
  #at(part: number): { readonly from: number; readonly value: number } {
    const rank = Math.max(1, Math.ceil(part * this.count));
    let before = 0;
    for (const [bucket, count] of this.#sorted()) {
      const [from, to] = [lowerEdge(bucket), lowerEdge(bucket + 1)];
      if (before + count >= rank)
        return { from, value: from + ((to - from) * (rank - before - 0.5)) / count };
      before += count;
    }
    return { from: this.max, value: this.max };
  }

  #sorted = () => [...this.#counts].toSorted(([a], [b]) => a - b);

  #include(
    counts: Iterable<readonly [number, number]>,
    { min, max, sum }: Pick<Histogram, "min" | "max" | "sum">,
  ): this {
    for (const [bucket, count] of counts) {
      this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
      this.count += count;
    }
    this.min = Math.min(this.min, min);
    this.max = Math.max(this.max, max);
    this.sum += sum;
    return this;
  }
}

function bucketOf(milliseconds: number): number {
  if (!(milliseconds >= 2 ** LOWEST)) return 0;
  const doubling = Math.floor(Math.log2(milliseconds));
  const part = Math.floor((milliseconds / 2 ** doubling - 1) * PER_DOUBLING);
  return Math.min(LAST, 1 + (doubling - LOWEST) * PER_DOUBLING + part);
}

function lowerEdge(bucket: number): number {
  if (bucket === 0) return 0;
  const doubling = LOWEST + Math.floor((bucket - 1) / PER_DOUBLING);
  return 2 ** doubling * (1 + ((bucket - 1) % PER_DOUBLING) / PER_DOUBLING);
}
