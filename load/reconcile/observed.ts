import { plural } from "../../reports/wording.ts";
import type { Evidence } from "../k6/evidence.ts";
import type { Outcome } from "../k6/outcome.ts";
import { type Invariant, type InvariantId, invariant } from "../results/invariant.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import { Histogram } from "../results/recording/histogram.ts";
import type { LoadRun, Series, Summary, Validity } from "../results/result.ts";
import type { Sightings } from "./journal.ts";

/** What was seen during a load, apart from the transfers that are looked up. */
export interface Observed {
  readonly run: Pick<LoadRun, "profile">;
  /** Absent if k6 was killed or sent nothing. */
  readonly measured: Summary | undefined;
  readonly validity: Validity;
  readonly sightings: Sightings;
  /** References whose response named a transaction that the list shows under another reference. */
  readonly mixedUp: readonly string[];
}

/** Judges what k6 saw while the target was under load; what nothing speaks for or against is left out. */
export function judgeObserved(observed: Observed): Invariant[] {
  const { measured, run, validity } = observed;
  const seen = (evidence: Evidence) => observed.sightings.get(evidence) ?? [];
  const [badKeys, longPages] = [seen("bad-key-accepted"), seen("page-too-long")];
  return [
    ...responsesBelong(observed, seen),
    ...(measured ? [documentedShapes(measured, seen("malformed"))] : []),
    ...probed("L10", badKeys, seen("bad-key-rejected"), (all) => ({
      held: `it rejected all of ${plural(all, "request")}`,
      broken: `it accepted ${badKeys.length} of ${plural(all, "request")}`,
    })),
    ...probed("L11", longPages, seen("page-in-bounds"), (all) => ({
      held: `${plural(all, "page")} had no more`,
      broken: `${longPages.length} of ${plural(all, "page")} had more`,
    })),
    // A slow-down in a short run may be anything.
    ...(measured && run.profile.name === "soak" ? [speedStays(measured, run.profile.seconds, validity)] : []),
  ];
}

function responsesBelong(
  { measured, mixedUp }: Observed,
  seen: (evidence: Evidence) => readonly string[],
): Invariant[] {
  const foreign = [...new Set([...seen("foreign-reference"), ...mixedUp])];
  if (foreign.length > 0) {
    const text = `${plural(foreign.length, "response")} showed a reference or a transactionId of another request`;
    return [invariant("L8", "broken", text, foreign)];
  }
  const amounts = seen("other-amount");
  if (amounts.length > 0) {
    const text = `${plural(amounts.length, "response")} showed another amount than the request had`;
    return [invariant("L8", "warned", text, amounts)];
  }
  if (!measured) return [];
  const accepted = requestsIn(measured, (outcome) => outcome === "accepted");
  return accepted > 0
    ? [
        invariant(
          "L8",
          "held",
          `none of ${plural(accepted, "accepted request")} got the data of another request`,
        ),
      ]
    : [invariant("L8", "unjudged", "no request was accepted")];
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

/** Judges what k6 probes in addition to the workload; leaves out what was never probed. */
function probed(
  id: InvariantId,
  bad: readonly string[],
  good: readonly string[],
  text: (all: number) => { readonly held: string; readonly broken: string },
): Invariant[] {
  const all = bad.length + good.length;
  if (all === 0) return [];
  const { held, broken } = text(all);
  return [bad.length > 0 ? invariant(id, "broken", broken, bad) : invariant(id, "held", held)];
}

function speedStays({ series }: Summary, seconds: number, validity: Validity): Invariant {
  if (validity === "generator-limited") return invariant("L14", "unjudged", "k6 itself was too slow");
  const { compared, slower } = slowedDown(series, seconds);
  if (compared === 0) return invariant("L14", "unjudged", "too few responses to compare");
  if (slower.length === 0)
    return invariant("L14", "held", "the last tenth took at most twice as long as the first one");
  const medians = slower.map(
    ({ operation, first, last }) =>
      `${operation} took ${Math.round(last)} ms in the last tenth and ${Math.round(first)} ms in the first one (median)`,
  );
  return invariant("L14", "broken", medians.join("; "));
}

/** A run is compared in tenths, by the medians of their response times. */
const PART = 0.1;
const MIN_SAMPLES = 20;
/** The most that the last tenth may take, as a multiple of the first one; a smaller difference may be noise. */
const MOST_FACTOR = 2;
const LEAST_DIFFERENCE_MS = 10;

/** The operations whose last tenth took much longer than their first, and how many operations could be compared. */
function slowedDown(series: Series, seconds: number) {
  // The one request that is due at the very end has a slice of its own.
  const slices = series.slices.filter(({ second }) => second < seconds);
  const length = Math.max(1, Math.floor(slices.length * PART));
  const [first, last] = [mediansOf(slices.slice(0, length)), mediansOf(slices.slice(-length))];
  const both = [...first].flatMap(([operation, before]) => {
    const after = last.get(operation);
    return after === undefined ? [] : [{ operation, first: before, last: after }];
  });
  const slower = both.filter(
    ({ first, last }) => last > first * MOST_FACTOR && last - first > LEAST_DIFFERENCE_MS,
  );
  return { compared: slices.length > 1 ? both.length : 0, slower };
}

/** The median of each operation that has enough samples in these slices of time. */
function mediansOf(slices: Series["slices"]): Map<string, number> {
  const histograms = new Map<string, Histogram>();
  for (const { operations } of slices)
    for (const [operation, { histogram }] of Object.entries(operations)) {
      const sum = histograms.get(operation) ?? new Histogram();
      histograms.set(operation, sum.addAll(histogram));
    }
  const enough = [...histograms].filter(([, { count }]) => count >= MIN_SAMPLES);
  return new Map(enough.map(([operation, histogram]) => [operation, histogram.percentile(0.5)]));
}
