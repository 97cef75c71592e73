import { type Pools, rowAt } from "./pool.ts";

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
const POOLED = new RegExp(`^${MARK}(\\w+)\\.(\\w+)${MARK}$`);

type Filled = (reference: string, iteration: number) => string;

/** Compiles a text with markers once, so that filling it is cheap; the values are those of the iteration `origin`. */
export function compile(text: string, pools: Pools): Filled {
  const parts = text.split(ANY_MARKER).map((part): Filled => {
    if (part === REFERENCE) return (reference) => reference;
    const [, kind = "", member = ""] = POOLED.exec(part) ?? [];
    const rows = pools[kind];
    return rows ? (_, origin) => rowAt(rows, origin)?.[member] ?? part : () => part;
  });
  return (reference, origin) => {
    let filled = "";
    for (const part of parts) filled += part(reference, origin);
    return filled;
  };
}
