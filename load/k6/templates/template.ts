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
const indexAt = (size: number, iteration: number): number =>
  Math.floor(((Math.imul(iteration, STEP) >>> 0) / 2 ** 32) * size);

/** The record that the requests of an iteration take. */
export const rowAt = (rows: readonly Row[], iteration: number): Row | undefined =>
  rows[indexAt(rows.length, iteration)];

/** The values of all records at `kind.member`. */
export function columnOf(pools: Pools, place: string): string[] {
  const [kind = "", member = ""] = place.split(".");
  return (pools[kind] ?? []).map((row) => row[member] ?? "");
}

/** A character for private use, which no text of an operator holds. */
const MARK = "\uE001";

const NAME = "reference";

/** Marks the place of the reference in a request template. */
export const REFERENCE = MARK + NAME + MARK;

/** Marks the place of a pool's value in the body of a request template: `kind.member`. */
export const markerOf = (place: string) => MARK + place + MARK;

/** The request of one step, with markers in place of what differs between iterations. */
export interface Template {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type Filled = (reference: string, iteration: number) => string;

/**
 * Compiles a text with markers once, so that filling it is cheap. `valuesAt` gives all values at `kind.member`; those of
 * the iteration `origin` are taken.
 */
export function compile(text: string, valuesAt: (place: string) => readonly string[]): Filled {
  if (!text.includes(MARK)) return () => text;
  const parts = text.split(MARK);
  // Between two marks is a name: that of a place, or of the reference, which has no values.
  const columns = parts.map((part, index) => {
    if (index % 2 === 0 || part === NAME) return undefined;
    const values = valuesAt(part);
    return { values, size: values.length };
  });
  return (reference, origin) => {
    let filled = "";
    // By index: see hasFields in outcome.ts.
    for (let index = 0; index < parts.length; index += 1) {
      const column = columns[index];
      if (index % 2 === 0) filled += parts[index];
      else filled += column ? (column.values[indexAt(column.size, origin)] ?? "") : reference;
    }
    return filled;
  };
}
