import { plural } from "../../reports/wording.ts";
import type { Evidence } from "../k6/evidence.ts";
import type { Outcome } from "../k6/outcome.ts";
import { type Invariant, invariant } from "../results/invariant.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import type { LoadRun, Validity } from "../results/result.ts";
import type { Summary } from "../results/summary.ts";
import type { Sightings } from "./journal.ts";
import { slowedDown } from "./slow-down.ts";

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
  return [
    ...responsesBelong(observed, seen),
    ...(measured ? [documentedShapes(measured, seen("malformed"))] : []),
    ...keysStayRejected(seen("bad-key-accepted"), seen("bad-key-rejected")),
    ...pagesStayInBounds(seen("page-too-long"), seen("page-in-bounds")),
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

function keysStayRejected(accepted: readonly string[], rejected: readonly string[]): Invariant[] {
  const sent = accepted.length + rejected.length;
  if (sent === 0) return [];
  return accepted.length > 0
    ? [invariant("L10", "broken", `it accepted ${accepted.length} of ${plural(sent, "request")}`, accepted)]
    : [invariant("L10", "held", `it rejected all of ${plural(sent, "request")}`)];
}

function pagesStayInBounds(tooLong: readonly string[], inBounds: readonly string[]): Invariant[] {
  const pages = tooLong.length + inBounds.length;
  if (pages === 0) return [];
  return tooLong.length > 0
    ? [invariant("L11", "broken", `${tooLong.length} of ${plural(pages, "page")} had more`, tooLong)]
    : [invariant("L11", "held", `${plural(pages, "page")} had no more`)];
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
