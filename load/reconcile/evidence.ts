import type { CarriedOut } from "../../fixtures/engine/http/wire.ts";
import { sha256 } from "../../reports/digest.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { digestWith, type Evidence, isIndeterminate, type Outcome } from "../k6/responses.ts";
import { requestsIn } from "../results/measurements.ts";
import type { Entry } from "../results/recording/lines.ts";
import type { Recording } from "../results/recording/recording.ts";
import { addSlices } from "../results/recording/summary.ts";
import {
  brokenBy,
  type Invariant,
  invariant,
  type LoadRun,
  type Series,
  type Summary,
} from "../results/result.ts";
import { validityOf } from "../results/validity.ts";

/** Makes the digest of an identifier that k6 logs of it. */
export const digestOf = digestWith(sha256);

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
  return [...byReference].map(([reference, found]) => {
    const acceptances = found.filter(({ outcome }) => outcome === "accepted");
    const identifiers = acceptances.flatMap(({ identifier }) => identifier ?? []);
    return {
      reference,
      accepted: acceptances.length > 0,
      wasUnknown: found.length === 0 || found.some((entry) => carriedOut(entry) === "unknown"),
      identifiers: [...new Set(identifiers)],
      identified: identifiers.length,
    };
  });
}

/** The result carries the identifier of the transfer (section 2), so a client counts a payout for each identifier. */
export function oneIdentifierEach(transfers: readonly Transfer[]): Invariant {
  const repeated = transfers.filter(({ identified }) => identified > 1);
  if (repeated.length === 0)
    return invariant("L3", "unjudged", "no reference got several responses with a transactionId");
  const several = repeated.filter(({ identifiers }) => identifiers.length > 1);
  return brokenBy(several, "L3", {
    broken: `${several.length} of ${plural(repeated.length, "reference")} got several, so a client counts several payouts, whatever the list shows`,
    held: `${plural(repeated.length, "reference")} with several responses got one each`,
  });
}

/** The API must be able to tell transfers apart. */
export function noSharedIdentifier(transfers: readonly Transfer[]): Invariant {
  const uses = transfers.flatMap((transfer) =>
    transfer.identifiers.map((identifier) => ({ identifier, transfer })),
  );
  if (uses.length < 2)
    return invariant("L4", "unjudged", `${plural(uses.length, "reference")} got a transactionId`);
  const users = [...groupBy(uses, ({ identifier }) => identifier).values()];
  const shared = users.filter(({ length }) => length > 1).flat();
  const sharing = [...new Set(shared.map(({ transfer }) => transfer))];
  return brokenBy(sharing, "L4", {
    broken: `${sharing.length} of ${transfers.length} references share theirs`,
    held: `${plural(users.length, "transactionId")}, none shared`,
  });
}

/** What was seen during a load, apart from the transfers that are looked up. */
export interface Observed {
  readonly run: Pick<LoadRun, "profile">;
  readonly measured: Summary | undefined;
  readonly sightings: Recording["sightings"];
  /** References whose response named a transaction that the list shows under another reference. */
  readonly mixedUp: readonly string[];
}

/** Judges what k6 saw while the target was under load; what nothing speaks for or against is left out. */
export function judgeObserved({ measured, run, sightings, mixedUp }: Observed): Invariant[] {
  const seen = (evidence: Evidence) =>
    sightings.flatMap((one) => (one.evidence === evidence ? one.where : []));
  const foreign = [...new Set([...seen("foreign-reference"), ...mixedUp])];
  const [badKeys, longPages] = [seen("bad-key-accepted"), seen("page-too-long")];
  const keys = badKeys.length + seen("bad-key-rejected").length;
  const pages = longPages.length + seen("page-in-bounds").length;
  const probed = [
    keys > 0 &&
      brokenBy(badKeys, "L10", {
        broken: `it accepted ${badKeys.length} of ${plural(keys, "request")}`,
        held: `it rejected all of ${plural(keys, "request")}`,
      }),
    pages > 0 &&
      brokenBy(longPages, "L11", {
        broken: `${longPages.length} of ${plural(pages, "page")} had more`,
        held: `${plural(pages, "page")} had no more`,
      }),
  ];
  return [
    ...responsesBelong(measured, foreign),
    ...(measured ? [documentedShapes(measured, seen("malformed"))] : []),
    ...probed.filter((one) => one !== false),
    // A slow-down in a short run may be anything.
    ...(measured && run.profile.name === "soak" ? [speedStays(measured, run.profile.seconds)] : []),
  ];
}

function responsesBelong(measured: Summary | undefined, foreign: readonly string[]): Invariant[] {
  if (foreign.length > 0) {
    const text = `${plural(foreign.length, "response")} showed a reference or a transactionId of another request`;
    return [invariant("L8", "broken", text, foreign)];
  }
  if (!measured) return [];
  const accepted = requestsIn(measured, (outcome) => outcome === "accepted");
  const text = `none of ${plural(accepted, "accepted request")} got the data of another request`;
  return [
    accepted > 0 ? invariant("L8", "held", text) : invariant("L8", "unjudged", "no request was accepted"),
  ];
}

const hasDocumentedShape = (outcome: Outcome) =>
  ["accepted", "business-refused", "valid-refused", "malformed"].includes(outcome);

function documentedShapes(measured: Summary, where: readonly string[]): Invariant {
  const malformed = requestsIn(measured, (outcome) => outcome === "malformed");
  if (requestsIn(measured, hasDocumentedShape) === 0)
    return invariant("L9", "unjudged", "no request got a response whose shape is documented");
  const text = `${malformed} of ${requestsIn(measured)} requests got a malformed response`;
  return invariant("L9", malformed > 0 ? "broken" : "held", text, where);
}

/** A run is compared in tenths, by the medians of their response times. */
const PART = 0.1;
const MIN_SAMPLES = 20;
/** The most that the last tenth may take, as a multiple of the first one; a smaller difference may be noise. */
const MOST_FACTOR = 2;
const LEAST_DIFFERENCE_MS = 10;

function speedStays(measured: Summary, seconds: number): Invariant {
  if (validityOf(measured) === "generator-limited")
    return invariant("L14", "unjudged", "k6 itself was too slow");
  // The one request that is due at the very end has a slice of its own.
  const slices = measured.series.slices.filter(({ second }) => second < seconds);
  const length = Math.max(1, Math.floor(slices.length * PART));
  const [first, last] = [mediansOf(slices.slice(0, length)), mediansOf(slices.slice(-length))];
  const both = [...first].flatMap(([operation, before]) => {
    const after = last.get(operation);
    return after === undefined ? [] : [{ operation, before, after }];
  });
  if (slices.length < 2 || both.length === 0)
    return invariant("L14", "unjudged", "too few responses to compare");
  const slower = both.filter(
    ({ before, after }) => after > before * MOST_FACTOR && after - before > LEAST_DIFFERENCE_MS,
  );
  if (slower.length === 0)
    return invariant("L14", "held", "the last tenth took at most twice as long as the first one");
  const medians = slower.map(
    ({ operation, before, after }) =>
      `${operation} took ${Math.round(after)} ms in the last tenth and ${Math.round(before)} ms in the first one (median)`,
  );
  return invariant("L14", "broken", medians.join("; "));
}

const mediansOf = (slices: Series["slices"]) =>
  new Map(
    Object.entries(addSlices(slices)).flatMap(([operation, { histogram }]) => {
      return histogram.count >= MIN_SAMPLES ? [[operation, histogram.percentile(0.5)] as const] : [];
    }),
  );
