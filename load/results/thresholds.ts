import { percent, plural } from "../../reports/wording.ts";
import { isSent, isTechnicalFailure, type Outcome } from "../k6/responses.ts";
import { addOutcomes, countOf, failuresIn } from "./measurements.ts";
import {
  DEFAULT_LIMIT,
  FEWEST,
  type Limits,
  NEEDED_SAMPLES,
  type OperationSummary,
  type Outcomes,
  PERCENTILES,
  type Planned,
  type Responses,
  type Summary,
  shareOf,
  type Threshold,
} from "./result.ts";

/**
 * Judges the limits of a run: each operation must be sent and accepted, or rejected where `refusals` counts requests that ask
 * for it, and must keep the operator's objectives. Where these give no limit of failed requests or dropped iterations, the
 * default one applies. A percentile with too few samples is not judged.
 */
export function judgeThresholds(
  measured: Pick<Summary, "operations" | "iterations" | "dropped">,
  limits: Limits = {},
  refusals: Planned = {},
): Threshold[] {
  const { operations } = measured;
  return [
    ...Object.entries(operations).flatMap(([name, operation]) =>
      judgeResponses(name, operation, refusals[name] ?? 0),
    ),
    ...judgeLatencies(operations, limits),
    ...judgeShare(operations, isTechnicalFailure, limits.technicalFailures),
    ...judgeShare(operations, isNeedless, limits.rejections),
    judgeDropped(measured, limits),
  ];
}

/** A request that asks for a rejection must get it; the others must be accepted now and then. */
function judgeResponses(
  name: string,
  { requests, planned, outcomes }: OperationSummary,
  refusals: number,
): Threshold[] {
  const { accepted = 0, "business-refused": refused = 0 } = outcomes;
  const acceptable = planned - refusals;
  const broken: string[] = [];
  if (requests === 0) broken.push(`k6 sent no ${name} request`);
  else if (acceptable > 0 && accepted === 0) broken.push(`no ${name} request was accepted`);
  if (refusals > 0 && accepted > acceptable)
    broken.push(`the API accepted a ${name} request that it must reject`);
  else if (refusals > 0 && requests > 0 && refused === 0)
    broken.push(`no ${name} request was rejected, although some had to be`);
  return broken.map((text) => ({ kind: "responses", text, ok: false }));
}

/** Judges the percentiles that have an objective, the one furthest above it first; those with too few samples are `unjudged`. */
function judgeLatencies(operations: Responses, { latency = {} }: Limits): Threshold[] {
  const judged = Object.entries(latency).flatMap(([operation, objectives]) =>
    PERCENTILES.flatMap((percentile) => {
      const [histogram, limit] = [operations[operation]?.histogram, objectives[percentile]];
      if (!histogram || limit === undefined) return [];
      const about = { kind: "latency" as const, operation };
      if (histogram.count < NEEDED_SAMPLES[percentile]) {
        const text = `${operation} had too few responses to judge its ${percentile}`;
        return [{ factor: 0, threshold: { ...about, text, ok: true, isJudged: false } }];
      }
      const ok = !histogram.exceeds(limit, shareOf(percentile));
      const measured = histogram.percentile(shareOf(percentile));
      const value = ok ? Math.min(measured, limit) : measured;
      const text = `${operation} took ${Number(value.toFixed(1))} ms at ${percentile} (objective: at most ${limit} ms)`;
      return [{ factor: value / limit, threshold: { ...about, text, ok } }];
    }),
  );
  return judged.toSorted((a, b) => b.factor - a.factor).map(({ threshold }) => threshold);
}

/** The limit of a share, and how a judgement names it; by default, one failure among few is no share. */
const limitFrom = (given: number | undefined) =>
  given === undefined
    ? {
        limit: DEFAULT_LIMIT,
        fewest: FEWEST,
        basis: `(limit: at most ${percent(DEFAULT_LIMIT)} unless SLO says otherwise)`,
      }
    : { limit: given, fewest: 1, basis: `(objective: at most ${percent(given)})` };

/** Judges how many iterations k6 dropped. */
function judgeDropped(
  { iterations, dropped }: Pick<Summary, "iterations" | "dropped">,
  given: Limits,
): Threshold {
  const { limit, fewest, basis } = limitFrom(given.dropped);
  const due = iterations + dropped;
  const why = dropped > 0 ? ", because every virtual user was waiting for a response" : "";
  const text = `k6 dropped ${dropped} of ${plural(due, "iteration")}${why} ${basis}`;
  return { kind: "dropped", text, ok: dropped < fewest || dropped <= due * limit };
}

type IsFailure = (outcome: Outcome) => boolean;
type Judged = Readonly<Record<string, Pick<OperationSummary, "outcomes" | "rejectedToEnd">>>;
const isNeedless: IsFailure = (outcome) => outcome === "valid-refused";

/**
 * Judges how many requests failed or, if valid, were rejected: each operation by itself, and all of them together if none
 * exceeds the limit.
 */
function judgeShare(operations: Judged, isFailure: IsFailure, given: number | undefined): Threshold[] {
  const { limit, fewest, basis } = limitFrom(given);
  const keepsLimit = ({ failed, requests }: ReturnType<typeof failedIn>) =>
    failed < fewest || failed <= requests * limit;
  const broken = Object.entries(operations)
    .map(([name, one]) => failedIn({ [name]: one }, isFailure, `${name} request`))
    .filter((one) => !keepsLimit(one));
  const all = failedIn(operations, isFailure);
  const shown = broken.length > 0 ? broken : [all];
  return shown.map((one) => ({ kind: "failures", text: `${one.text} ${basis}`, ok: keepsLimit(one) }));
}

/** Counts what failed; `what` is one of the requests. What the machine of k6 could not send, or is used up, does not count. */
function failedIn(operations: Judged, isFailure: IsFailure, what = "request") {
  const outcomes = addOutcomes(Object.values(operations).map(withoutUsedUp));
  const requests = countOf(outcomes, isSent);
  const failed = countOf(outcomes, isFailure);
  const share = `${failed} of ${plural(requests, what)}`;
  if (isFailure === isNeedless)
    return { requests, failed, text: `${share} were rejected, although they were valid` };
  const kinds = failed > 0 ? `: ${failuresIn(outcomes, isFailure)}` : "";
  return { requests, failed, text: `${share} failed${kinds}` };
}

/** Rejections to the end may have another cause than the load: a balance or a daily limit that it has used up. */
function withoutUsedUp({ outcomes, rejectedToEnd }: Judged[string]): { readonly outcomes: Outcomes } {
  const { accepted = 0, "valid-refused": rejected = 0, "business-refused": asked = 0 } = outcomes;
  if (accepted === 0 || rejectedToEnd < FEWEST) return { outcomes };
  const moved = { "valid-refused": rejected - rejectedToEnd, "business-refused": asked + rejectedToEnd };
  return { outcomes: { ...outcomes, ...moved } };
}
