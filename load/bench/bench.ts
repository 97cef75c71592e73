import type { K6 } from "../generator/binary.ts";
import type { Figure } from "./figures.ts";

/** What a bench works with. */
export interface Workshop {
  readonly k6: K6;
  /** A folder for this bench alone. */
  readonly folder: string;
  /** Prints a line while the bench runs. */
  readonly say: (line: string) => void;
}

/** Measures something about this suite, in a bounded time. */
export interface Bench {
  readonly about: string;
  readonly run: (workshop: Workshop) => Promise<readonly Figure[]>;
}
