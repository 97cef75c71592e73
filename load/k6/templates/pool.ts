/** One record that requests are made from; each value is the text that stands for it in a JSON body. */
export type Row = Readonly<Record<string, string>>;

/** Records by kind; every iteration takes one of each. */
export type Pools = Readonly<Record<string, readonly Row[]>>;

/** 2^32 divided by the golden ratio. */
const STEP = 0x9e3779b1;

/**
 * The index of the record that the requests of an iteration take. Neighbours and any regular part of the iterations are
 * spread over the whole pool, so that each step of a workload meets every record.
 */
export const indexAt = (size: number, iteration: number): number =>
  Math.floor(((Math.imul(iteration, STEP) >>> 0) / 2 ** 32) * size);

/** The record that the requests of an iteration take. */
export const rowAt = (rows: readonly Row[], iteration: number): Row | undefined =>
  rows[indexAt(rows.length, iteration)];

/** The values of all records at `kind.member`. */
export function columnOf(pools: Pools, place: string): string[] {
  const [kind = "", member = ""] = place.split(".");
  return (pools[kind] ?? []).map((row) => row[member] ?? "");
}
