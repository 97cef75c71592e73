import { z } from "zod";
import { EVIDENCE, type Evidence } from "../k6/evidence.ts";

const Line = z.tuple([z.enum(EVIDENCE), z.string()]);

/** What k6 saw, and where: a reference, or the X-Request-Id of a request without one. */
export type Sightings = ReadonlyMap<Evidence, readonly string[]>;

/** Reads from k6's log what speaks for or against an invariant, one line each; a line torn by a crash is dropped. */
export function readSightings(text: string): Sightings {
  const sightings = new Map<Evidence, string[]>();
  for (const line of text.split("\n")) {
    // The log has far more lines of another kind.
    if (!EVIDENCE.some((evidence) => line.startsWith(`["${evidence}"`))) continue;
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success) continue;
    const [evidence, where] = parsed.data;
    sightings.set(evidence, [...(sightings.get(evidence) ?? []), where]);
  }
  return sightings;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
