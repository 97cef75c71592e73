import { indexAt } from "./pool.ts";

/** A character for private use, which no text of an operator holds. */
const MARK = "\uE001";

/** Marks the place of the reference in a request template. */
export const REFERENCE = `${MARK}reference${MARK}`;

/** Marks the place of a pool's value in the body of a request template. */
export const markerOf = (kind: string, member: string) => `${MARK}${kind}.${member}${MARK}`;

/** A marker that is a whole JSON text. */
export const QUOTED_MARKER = new RegExp(`"(${MARK}\\w+\\.\\w+${MARK})"`, "g");

/** The request of one step, with markers in place of what differs between iterations. */
export interface Template {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const ANY_MARKER = new RegExp(`(${MARK}\\w+(?:\\.\\w+)?${MARK})`);
type Filled = (reference: string, iteration: number) => string;

/**
 * Compiles a text with markers once, so that filling it is cheap. `valuesAt` gives all values at `kind.member`; those of
 * the iteration `origin` are taken.
 */
export function compile(text: string, valuesAt: (place: string) => readonly string[]): Filled {
  const parts = text.split(ANY_MARKER).map((part): string | Filled => {
    if (part === REFERENCE) return (reference) => reference;
    if (!part.startsWith(MARK)) return part;
    const values = valuesAt(part.slice(MARK.length, -MARK.length));
    return (_, origin) => values[indexAt(values.length, origin)] ?? part;
  });
  return (reference, origin) => {
    let filled = "";
    // By index: see hasFields in outcome.ts.
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index];
      filled += typeof part === "function" ? part(reference, origin) : part;
    }
    return filled;
  };
}
