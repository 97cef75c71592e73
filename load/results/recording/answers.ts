import { z } from "zod";
import { OUTCOMES } from "../../k6/outcome.ts";

/** One line of k6's log for each response: see `record` in load/k6/main.ts. The fields of money are read elsewhere. */
const Measured = z.tuple([
  z.string(),
  z.unknown(),
  z.enum(OUTCOMES),
  z.unknown(),
  z.unknown(),
  z.tuple([z.int(), z.number(), z.number(), z.number()]),
]);
const Failed = z.tuple([z.literal("exception"), z.int()]);
const End = z.tuple([z.literal("end")]);

/** What a line of k6's log says of the load. */
export type Line =
  | {
      readonly kind: "answer";
      readonly operation: string;
      readonly outcome: (typeof OUTCOMES)[number];
      readonly iteration: number;
      /** When the request was due, in milliseconds since the start of the load. */
      readonly dueMs: number;
      /** How late the generator was. */
      readonly lagMs: number;
      /** From the intended start to the end of the response. */
      readonly latencyMs: number;
    }
  /** The load script failed in an iteration. */
  | { readonly kind: "exception"; readonly iteration: number }
  /** The last line of a run that k6 ended itself. */
  | { readonly kind: "end" };

/** Reads a line of k6's log; `undefined` for any other line, such as one torn by a crash. */
export function readLine(text: string): Line | undefined {
  const line = parseJson(text);
  const measured = Measured.safeParse(line);
  if (measured.success) {
    const [operation, , outcome, , , [iteration, dueMs, lagMs, latencyMs]] = measured.data;
    return { kind: "answer", operation, outcome, iteration, dueMs, lagMs, latencyMs };
  }
  const failed = Failed.safeParse(line);
  if (failed.success) return { kind: "exception", iteration: failed.data[1] };
  return End.safeParse(line).success ? { kind: "end" } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
