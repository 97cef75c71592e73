import { createHash } from "node:crypto";
import { z } from "zod";
import type { CarriedOut } from "../../fixtures/engine/http/response.ts";
import { groupBy } from "../../reports/grouping.ts";
import type { Evidence } from "../k6/responses.ts";
import { digestWith, isIndeterminate, OUTCOMES } from "../k6/responses.ts";
import { readLines } from "../results/recording/follow.ts";
import { type Line, readLine } from "../results/recording/log-line.ts";

/** Makes the digest of an identifier that k6 logs of it. */
export const digestOf = digestWith((text) => createHash("sha256").update(text).digest("hex"));

/** The outcome of one request that may have moved money, as k6 logged it. */
export const Entry = z.object({
  operation: z.string(),
  reference: z.string(),
  outcome: z.enum(OUTCOMES),
  /** 0 if there was no response. */
  status: z.number(),
  /** The digest of the identifier in the response. */
  identifier: z.string().nullable(),
});

export type Entry = z.infer<typeof Entry>;

/** Keeps what k6's log says of money and of invariants, one line at a time; nothing is kept of other requests. */
export class Journal {
  /** The requests that may have moved money, in the order of their responses. */
  readonly entries: Entry[] = [];
  /** What k6 saw, and where: a reference, or the X-Request-Id of a request without one. */
  readonly sightings = new Map<Evidence, string[]>();

  add(line: Line | undefined): void {
    if (line?.kind === "response" && line.reference !== null) {
      const { operation, reference, outcome, status, identifier } = line;
      this.entries.push({ operation, reference, outcome, status, identifier });
    } else if (line?.kind === "sighting") {
      const found = this.sightings.get(line.evidence);
      if (found) found.push(line.where);
      else this.sightings.set(line.evidence, [line.where]);
    }
  }
}

/** Has all readers read k6's log once the load has ended: until then, memory must not grow with the length of the load. */
export const readLog = (path: string, ...readers: readonly { add(line: Line | undefined): void }[]) =>
  readLines(path, (text) => {
    const line = readLine(text);
    for (const reader of readers) reader.add(line);
  });

/** Whether the API carried out the request; a rejection with an identifier may be a recorded transaction. */
export function carriedOut({ outcome, identifier }: Entry): CarriedOut {
  if (outcome === "accepted") return "yes";
  return isIndeterminate(outcome) || identifier !== null ? "unknown" : "no";
}

/** Whether a request or a reservation is about a transfer, which can be looked up. */
export const isTransfer = ({ operation }: { readonly operation: string }) => operation === "createTransfer";

/** What the responses say about one transfer reference, however often it was sent. */
export interface Transfer {
  readonly reference: string;
  readonly accepted: boolean;
  /** No response was a success, and the API may have made the transfer without confirming it. */
  readonly unknown: boolean;
  /** Some response left open whether the API made the transfer, even if a later one was a success. */
  readonly wasUnknown: boolean;
  /** The digests of the different identifiers in the responses that accepted it. */
  readonly identifiers: readonly string[];
  /** How many responses accepted it with an identifier. */
  readonly identified: number;
}

/** Groups requests by reference; `unanswered` references may have been sent without a response. */
export function transfersOf(entries: readonly Entry[], unanswered: readonly string[]): Transfer[] {
  const byReference = groupBy(entries, ({ reference }) => reference);
  for (const reference of unanswered) if (!byReference.has(reference)) byReference.set(reference, []);
  return [...byReference].map(([reference, found]) => transferOf(reference, found));
}

function transferOf(reference: string, entries: readonly Entry[]): Transfer {
  const acceptances = entries.filter(({ outcome }) => outcome === "accepted");
  const accepted = acceptances.length > 0;
  const mayBeMade = entries.length === 0 || entries.some((entry) => carriedOut(entry) === "unknown");
  const identifiers = acceptances.flatMap(({ identifier }) => (identifier === null ? [] : [identifier]));
  return {
    reference,
    accepted,
    unknown: !accepted && mayBeMade,
    wasUnknown: mayBeMade,
    identifiers: [...new Set(identifiers)],
    identified: identifiers.length,
  };
}
