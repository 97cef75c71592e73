import { plural } from "../../reports/wording.ts";
import { ArrivalTimes } from "../k6/arrivals.ts";
import type { ProfileName } from "../k6/profiles.ts";
import { requestsIn } from "../results/measurements.ts";
import { addSlices } from "../results/recording/recording.ts";
import type { Decision, LoadResult, Series, Summary, Threshold } from "../results/result.ts";
import { judgeFailures, judgeLatencies } from "../results/thresholds.ts";
import { lateness } from "../results/validity.ts";

/** Judges a run of the profile `breakpoint` as a search for the highest rate; others stay as they are. */
export function concludeSearch(ramp: LoadResult): LoadResult {
  const { measured, profile } = ramp;
  if (profile.name !== SEARCH) return ramp;
  return { ...ramp, ...conclude(ramp), ...(measured && { measured: judgedInParts(measured) }) };
}

const SEARCH: ProfileName = "breakpoint";

/** A ramp is meant to break limits: they decide where it broke, and do not fail the run. */
const judgedInParts = (measured: Summary): Summary => ({
  ...measured,
  thresholds: measured.thresholds.map((one) => (one.ok ? one : { ...one, ok: true, isJudged: false })),
});

/** Decides what a ramp shows; if something else than its rate decided about the run, that decides about the search. */
function conclude(ramp: LoadResult): Decision {
  const { outcome, exitCode, because, measured, profile, invariants, validity } = ramp;
  const own = { outcome, exitCode, because };
  const isWrong = measured?.thresholds.some(({ ok, kind }) => !ok && kind === "responses") ?? true;
  const hasEnded = exitCode !== 70 && exitCode !== 130;
  if (!hasEnded || isWrong || invariants.some(({ state }) => state === "broken")) return own;

  const broken = breakOf(ramp);
  if (!broken && exitCode !== 0) return own;
  const held = `the target held up to ${profile.rate}/s, the highest rate of the search; raise RATE to find its limit`;
  const { text, isFirst, mayBeLate } = broken ?? { text: held, isFirst: false, mayBeLate: true };
  const open = invariants.filter(({ state }) => state === "undecided");
  const doubts = [
    ...(validity === "generator-limited" && mayBeLate
      ? [`${lateness(measured).why}: the target may hold more`]
      : []),
    ...open.map((one) => `${one.id} (${one.title}): ${one.text}`),
  ];
  if (doubts.length > 0)
    return { outcome: "undecided", exitCode: 4, because: `${text}, but ${doubts.join("; ")}` };
  return isFirst
    ? { outcome: "failed", exitCode: 1, because: text }
    : { outcome: "passed", exitCode: 0, because: text };
}

/** Number of responses after which a part of a ramp is judged: enough that a single failure does not decide. */
const RESPONSES = 200;
/** No part is shorter than this share of the ramp. */
const SHORTEST = 1 / 20;
/** The share of requests that may be throttled or not sent at a rate that the target holds. */
const MOST_LOST = 0.01;

/** Finds the first part of a ramp in which something broke, and the most telling cause; `undefined` if nothing did. */
function breakOf(ramp: LoadResult) {
  const { measured, profile, objectives = {} } = ramp;
  const { seconds, stages, rate: top } = profile;
  const lowest = stages[0]?.rate ?? top;
  const rateAt = (second: number) =>
    Number((lowest + ((top - lowest) * Math.min(second, seconds)) / seconds).toPrecision(3));
  const parts = measured ? partsOf(measured.series, ramp) : [];
  for (const [index, part] of parts.entries()) {
    const { begin, end, operations, due, missing } = part;
    const all = requestsIn({ operations });
    const throttled = requestsIn({ operations }, (one) => one === "throttled");
    // One pause makes k6 add virtual users, and it drops an iteration for each: only a target that stays behind breaks.
    const staysBehind = missing > 0 && (parts[index + 1] ?? part).missing > 0;
    const rejected = [
      ...brokenIn(judgeFailures(operations, objectives)),
      ...(throttled > all * MOST_LOST ? [`${ofAll(throttled, all)} got 429, or 503 with Retry-After`] : []),
    ];
    const slow = [
      ...brokenIn(judgeLatencies(operations, objectives)),
      ...(staysBehind ? [`responses took so long that k6 could not send ${ofAll(missing, due)}`] : []),
    ];
    const [cause] = [...rejected, ...slow];
    if (cause === undefined) continue;
    const why = `${rateAt(end)}/s (${cause})`;
    const text =
      index === 0
        ? `the target did not even hold ${why}`
        : `the target held up to ${rateAt(begin)}/s, and broke before ${why}`;
    return { text, isFirst: index === 0, mayBeLate: rejected.length === 0 };
  }
  return undefined;
}

const brokenIn = (judged: readonly Threshold[]) => judged.flatMap(({ ok, text }) => (ok ? [] : [text]));

type Slice = Series["slices"][number];

/** What came back in each part of a ramp, and how many of its requests are missing. */
function partsOf({ sliceSeconds, slices }: Series, { profile, iterations }: LoadResult) {
  const times = new ArrivalTimes(profile);
  let sent = 0;
  return cut(slices, Math.max(1, (profile.seconds * SHORTEST) / sliceSeconds)).map((part) => {
    const end = (part.at(-1)?.second ?? 0) + sliceSeconds;
    const [from, until] = [sent, Math.min(iterations, Math.floor(times.dueBy(end)))];
    sent = until;
    const operations = addSlices(part);
    const due = until - from;
    const lost = due - requestsIn({ operations });
    const missing = lost > Math.max(1, due * MOST_LOST) ? lost : 0;
    return { begin: part[0]?.second ?? 0, end, operations, due, missing };
  });
}

/** Cuts a run into parts of enough responses and of at least `fewest` slices; the last one may have less. */
function cut(slices: readonly Slice[], fewest: number): Slice[][] {
  const parts: Slice[][] = [];
  let [open, responses]: [Slice[], number] = [[], 0];
  for (const slice of slices) {
    if (open.length === 0) parts.push(open);
    open.push(slice);
    responses += requestsIn(slice);
    if (responses >= RESPONSES && open.length >= fewest) [open, responses] = [[], 0];
  }
  return parts;
}

const ofAll = (some: number, requests: number) => `${some} of ${plural(requests, "request")}`;
