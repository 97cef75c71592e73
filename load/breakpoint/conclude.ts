import { join } from "node:path";
import type { Steps } from "../k6/requests.ts";
import { writeJson } from "../results/files.ts";
import type { Decision, LoadResult, Summary } from "../results/result.ts";
import { lateness } from "../results/verdict.ts";
import { writeResults } from "../results/write-results.ts";
import { breakOf, type Cause } from "./ramp.ts";

/** What a search found, in the folder of its run. */
const BREAKPOINT = "breakpoint.json";

const PASSED = { outcome: "passed", exitCode: 0 } as const;
const FAILED = { outcome: "failed", exitCode: 1 } as const;

interface Conclusion extends Decision {
  /** The rate up to which the target held, and the one by which it broke, in requests per second; absent if unknown. */
  readonly bounds: { readonly held?: number; readonly broke?: number };
  readonly causes: readonly Cause[];
}

/**
 * Judges a ramp as a search for the highest rate, and writes that into its folder; returns the result with the verdict of the
 * search.
 */
export async function concludeSearch(directory: string, ramp: LoadResult, steps: Steps): Promise<LoadResult> {
  const found = conclude(ramp, steps);
  const { runId, target, workload, profile, objectives, measured } = ramp;
  const schema = "payments-conformance/breakpoint@2";
  const about = { schema, runId, target, workload, top: profile.rate, seconds: profile.seconds, objectives };
  writeJson(join(directory, BREAKPOINT), { ...about, ...found });
  const { bounds: _, causes: __, ...decision } = found;
  const result = { ...ramp, ...decision, ...(measured && { measured: judgedInParts(measured) }) };
  await writeResults(directory, result);
  return result;
}

/** A ramp is meant to break limits: they decide where it broke, and do not fail the run. */
const judgedInParts = (measured: Summary): Summary => ({
  ...measured,
  thresholds: measured.thresholds.map((one) => (one.ok ? one : { ...one, ok: true, isJudged: false })),
});

/** Decides what a ramp shows; if something else than its rate decided about the run, that decides about the search. */
export function conclude(ramp: LoadResult, steps: Steps): Conclusion {
  const { outcome, exitCode, because, measured, profile, invariants, validity, generator } = ramp;
  const own: Conclusion = { outcome, exitCode, because, bounds: {}, causes: [] };
  const isWrong = measured?.thresholds.some(({ ok, kind }) => !ok && kind === "responses") ?? true;
  const hasEnded = exitCode !== 70 && exitCode !== 130;
  if (!hasEnded || isWrong || invariants.some(({ state }) => state === "broken")) return own;

  const broken = breakOf(ramp, steps);
  if (!broken && exitCode !== 0) return own;
  const { held = profile.rate, broke, isFirst = false, causes = [] } = broken ?? {};
  const found = { bounds: { ...(!isFirst && { held }), ...(broke && { broke }) }, causes };
  const text = inWords(broken, held);
  const undecided = (why: string) =>
    ({ ...found, outcome: "undecided", exitCode: 4, because: `${text}, but ${why}` }) as const;

  const mayBeLate = causes.every(({ kind }) => kind === "latency" || kind === "schedule");
  if (validity === "generator-limited" && mayBeLate)
    return undecided(`${lateness(measured, generator).why}: the target may hold more`);
  const open = invariants.filter(({ state }) => state === "undecided");
  if (open.length > 0)
    return undecided(open.map(({ id, title, text }) => `${id} (${title}): ${text}`).join("; "));
  return { ...found, ...(isFirst ? FAILED : PASSED), because: text };
}

function inWords(broken: ReturnType<typeof breakOf>, held: number): string {
  if (!broken)
    return `the target held up to ${held}/s, the highest rate of the search; raise RATE to find its limit`;
  const why = `${broken.broke}/s (${broken.causes[0]?.text})`;
  return broken.isFirst
    ? `the target did not even hold ${why}`
    : `the target held up to ${held}/s, and broke before ${why}`;
}
