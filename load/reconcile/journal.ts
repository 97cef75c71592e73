import { z } from "zod";
import type { CarriedOut } from "../../fixtures/http/answer.ts";
import { isIndeterminate, OUTCOMES, type Outcome } from "../k6/outcome.ts";

// An identifier of another type makes the response malformed, but the line still proves that there was a response.
const Identifier = z.union([z.string(), z.number()]).nullable().catch(null);
const Line = z.tuple([z.string(), z.string(), z.enum(OUTCOMES), z.number(), Identifier]);

/** The outcome of one request that may have moved money, as k6 logged it. */
export interface Entry {
  readonly operation: string;
  readonly reference: string;
  readonly outcome: Outcome;
  /** 0 if there was no response. */
  readonly status: number;
  readonly identifier: string | number | null;
}

/** Reads k6's log, one request per line; a line torn by a crash is dropped, but its reference is still known. */
export function readJournal(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success) return [];
    const [operation, reference, outcome, status, identifier] = parsed.data;
    return [{ operation, reference, outcome, status, identifier }];
  });
}

/** Whether the API carried out the request; a rejection with an identifier may be a recorded transaction. */
export function carriedOut({ outcome, identifier }: Entry): CarriedOut {
  if (outcome === "accepted") return "yes";
  return isIndeterminate(outcome) || identifier !== null ? "unknown" : "no";
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
