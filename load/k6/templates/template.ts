import { indexAt } from "./pool.ts";

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
  const columns = parts.map((part, index) =>
    index % 2 === 0 || part === NAME ? undefined : columnOf(part, valuesAt),
  );
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

function columnOf(place: string, valuesAt: (place: string) => readonly string[]) {
  const values = valuesAt(place);
  return { values, size: values.length };
}
