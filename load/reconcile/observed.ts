import { plural } from "../../reports/wording.ts";
import type { Evidence, Outcome } from "../k6/responses.ts";
import { brokenBy, type Invariant, invariant } from "../results/invariant.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import { addSlices } from "../results/recording/recording.ts";
import type { LoadRun, Series, Summary, Validity } from "../results/result.ts";
import type { Journal } from "./journal.ts";

/** What was seen during a load, apart from the transfers that are looked up. */
export interface Observed {
  readonly run: Pick<LoadRun, "profile">;
  /** Absent if k6 was killed or sent nothing. */
  readonly measured: Summary | undefined;
  readonly validity: Validity;
  readonly sightings: Journal["sightings"];
  /** References whose response named a transaction that the list shows under another reference. */
  readonly mixedUp: readonly string[];
}

/** Judges what k6 saw while the target was under load; what nothing speaks for or against is left out. */
export function judgeObserved({ measured, run, validity, sightings, mixedUp }: Observed): Invariant[] {
  const seen = (evidence: Evidence) => sightings.get(evidence) ?? [];
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
    ...responsesBelong(measured, foreign, seen("other-amount")),
    ...(measured ? [documentedShapes(measured, seen("malformed"))] : []),
    ...probed.filter((one) => one !== false),
    // A slow-down in a short run may be anything.
    ...(measured && run.profile.name === "soak" ? [speedStays(measured, run.profile.seconds, validity)] : []),
  ];
}

function responsesBelong(
  measured: Summary | undefined,
  foreign: readonly string[],
  amounts: readonly string[],
): Invariant[] {
  const shown = (what: string, { length }: readonly string[]) =>
    `${plural(length, "response")} showed ${what}`;
  if (foreign.length > 0) {
    const text = shown("a reference or a transactionId of another request", foreign);
    return [invariant("L8", "broken", text, foreign)];
  }
  if (amounts.length > 0)
    return [invariant("L8", "warned", shown("another amount than the request had", amounts), amounts)];
  if (!measured) return [];
  const accepted = requestsIn(measured, (outcome) => outcome === "accepted");
  const text = `none of ${plural(accepted, "accepted request")} got the data of another request`;
  return [
    accepted > 0 ? invariant("L8", "held", text) : invariant("L8", "unjudged", "no request was accepted"),
  ];
}

const hasDocumentedShape = (outcome: Outcome) =>
  outcome === "accepted" || outcome === "business-refused" || outcome === "malformed";

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

function speedStays({ series }: Summary, seconds: number, validity: Validity): Invariant {
  if (validity === "generator-limited") return invariant("L14", "unjudged", "k6 itself was too slow");
  // The one request that is due at the very end has a slice of its own.
  const slices = series.slices.filter(({ second }) => second < seconds);
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

/** The median of each operation that has enough samples in these slices of time. */
const mediansOf = (slices: Series["slices"]) =>
  new Map(
    Object.entries(addSlices(slices)).flatMap(([operation, { histogram }]) => {
      return histogram.count >= MIN_SAMPLES ? [[operation, histogram.percentile(0.5)] as const] : [];
    }),
  );
