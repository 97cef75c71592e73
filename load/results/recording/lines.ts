import { join } from "node:path";
import { z } from "zod";
import { EVIDENCE, OUTCOMES, parseJson } from "../../k6/responses.ts";
import { followLines } from "./follow.ts";

/** What k6 logs of a response: see `sendAndLog` in load/k6/main.ts. */
const Response = z
  .tuple([
    z.string(),
    z.string().nullable(),
    z.enum(OUTCOMES),
    z.number(),
    /** The digest of the identifier. Without a usable one, the line still proves that there was a response. */
    z.string().nullable().catch(null),
    /** With when the request was sent and how long it took, in milliseconds. */
    z.tuple([z.int().nonnegative(), z.number(), z.number()]),
  ])
  .transform(([operation, reference, outcome, status, identifier, [iteration, startedMs, tookMs]]) => {
    const kind = "response" as const;
    return { kind, operation, reference, outcome, status, identifier, iteration, startedMs, tookMs };
  });

/** Something that speaks for or against an invariant, and where k6 saw it: a reference, or an X-Request-Id. */
const Sighting = z
  .tuple([z.enum(EVIDENCE), z.string()])
  .transform(([evidence, where]) => ({ kind: "sighting" as const, evidence, where }));

/** The last line of a run that k6 ended itself: see `teardown` in load/k6/main.ts. */
const End = z
  .tuple([z.literal("end"), z.string(), z.string(), z.number()])
  .transform(([, runId, segment, elapsedMs]) => ({
    kind: "end" as const,
    runId,
    /** The part of the run that this process of k6 had, such as `1/4:1/2`; `0:1` is the whole. */
    segment,
    elapsedMs,
  }));

/** The request that precedes a load got no response, so no load was sent: see `setup` in load/k6/main.ts. */
const Unreached = z
  .tuple([z.literal("unreached"), z.string()])
  .transform(([kind, error]) => ({ kind, error }));

/** The outcome of one request that may have moved money, as k6 logged it. */
export const Entry = z.object({
  operation: z.string(),
  reference: z.string(),
  outcome: z.enum(OUTCOMES),
  status: z.number(),
  identifier: z.string().nullable(),
});

export type Entry = z.infer<typeof Entry>;

const Line = z.union([Response, Sighting, Unreached, End]);

/** What a line of k6's log says. */
export type Line = z.output<typeof Line>;

/** k6's log in the folder of a run: one line for each response. */
export const RESPONSES_LOG = "responses.log";

/** Has all readers read k6's log of a run while it is written; `finish` reads what is left. */
export const followLog = (
  directory: string,
  readers: readonly { add(line: Line | undefined, file: string): void }[],
) =>
  followLines(join(directory, RESPONSES_LOG), (text) => {
    const line = readLine(text);
    for (const reader of readers) reader.add(line, RESPONSES_LOG);
  });

/** Reads a line of k6's log; `undefined` for any other line, such as one torn by a crash. */
export const readLine = (text: string): Line | undefined =>
  text.startsWith("[") ? Line.safeParse(parseJson(text)).data : undefined;
