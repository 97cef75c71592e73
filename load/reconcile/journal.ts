import { z } from "zod";
import { OUTCOMES, type Outcome } from "../k6/outcome.ts";

// An identifier of another type makes the answer malformed, but the line still tells that there was an answer.
const Identifier = z.union([z.string(), z.number()]).nullable().catch(null);
const Line = z.tuple([z.string(), z.string(), z.enum(OUTCOMES), z.number(), Identifier]);

/** One answer to a request that may have moved money, as k6 wrote it down. */
export interface Entry {
  readonly operation: string;
  readonly reference: string;
  readonly outcome: Outcome;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly identifier: string | number | null;
}

/** Reads what k6 wrote, one line an answer; a line torn by a crash is dropped, its reference stays accounted for. */
export function readJournal(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    const parsed = Line.safeParse(parsedJson(line));
    if (!parsed.success) return [];
    const [operation, reference, outcome, status, identifier] = parsed.data;
    return [{ operation, reference, outcome, status, identifier }];
  });
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
