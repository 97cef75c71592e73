import { z } from "zod";
import { CommandError } from "../command-line/command.ts";
import { readJsonFile } from "../command-line/json-file.ts";
import { time } from "../wording.ts";
import type { CheckResult } from "./verdict.ts";

/** Accepts the failure of one check: for what reason, by whom, and until which day. */
const Written = z.strictObject({
  check: z.string().min(1),
  reason: z.string().trim().min(1, "say why you accept the failure"),
  owner: z.string().trim().min(1, "say who accepts the failure"),
  ticket: z.string().min(1).exactOptional(),
  /** The last day on which the waiver is valid, in UTC. */
  expires: z.iso.date("write the day as YYYY-MM-DD"),
});

/** A waiver in a run. One that comes from an earlier run, `isKnown`, need not be removed once the failure is fixed. */
export const Waiver = Written.extend({ isKnown: z.literal(true).exactOptional() });
export type Waiver = z.infer<typeof Waiver>;

const EXPECTED = `expected [{ "check", "reason", "owner", "ticket"?, "expires": "YYYY-MM-DD" }]`;

/** Reads a file of waivers. Throws a `CommandError` (2) with one line that names the file and the bad entry. */
export const readWaivers = (path: string): Waiver[] =>
  readJsonFile("WAIVERS", path, z.array(Written), EXPECTED);

/** What counts of the `verdicts.json` of an earlier run. */
const Earlier = z.object({
  startedAt: z.string(),
  checks: z.array(
    z.object({ id: z.string(), verdict: z.string(), critical: z.literal(true).exactOptional() }),
  ),
});

/**
 * Waives for a day what failed in an earlier run, also what was only waived or judged by the letter there. Throws a
 * `CommandError` (2) with one line if the file is no `verdicts.json`.
 */
export function readBaseline(path: string, now: Date): Waiver[] {
  const { startedAt, checks } = readJsonFile(
    "--baseline",
    path,
    Earlier,
    "name the verdicts.json of a finished run",
  );
  const failed = checks.filter(
    ({ verdict, critical }) => /^(fail|waived)$/.test(verdict) || (critical && verdict === "warn"),
  );
  const reason = `it failed in the run of ${time(startedAt)}`;
  return failed.map(({ id }) => ({
    check: id,
    reason,
    owner: "--baseline",
    expires: dayOf(now),
    isKnown: true,
  }));
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Throws a `CommandError` (5) that lists every waiver which cannot be used: it names no check, waives what another one
 * waives, has expired, or lasts for more than `maxDays`. Waivers of checks that were not selected may have expired.
 */
export function refuseUnusable(
  waivers: readonly Waiver[],
  known: ReadonlySet<string>,
  selected: ReadonlySet<string>,
  { now, maxDays }: { readonly now: Date; readonly maxDays: number },
) {
  const today = dayOf(now);
  const last = dayOf(new Date(now.getTime() + maxDays * DAY_MS));
  const problems = waivers.flatMap(({ check, expires }, index) => {
    const complain = (problem: string) => [`the waiver of ${check} ${problem}. Nothing was sent`];
    if (!known.has(check))
      return complain("names no check of this suite: correct the id or remove the waiver");
    if (waivers.findIndex((other) => other.check === check) < index)
      return complain("waives a check that another waiver waives: keep one of them");
    if (!selected.has(check)) return [];
    if (expires < today) return complain(`expired on ${expires}: fix the failure or extend the waiver`);
    if (expires > last)
      return complain(`is valid until ${expires}, more than MAX_WAIVER_DAYS=${maxDays}: end it by ${last}`);
    return [];
  });
  if (problems.length > 0) throw new CommandError(5, problems);
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** Turns waived failures into `waived`, and returns one line for each waiver that is no longer needed. */
export function applyWaivers(checks: readonly CheckResult[], waivers: readonly Waiver[]) {
  const waived = new Set(waivers.map(({ check }) => check));
  const isWaived = ({ id, verdict }: CheckResult) => verdict === "fail" && waived.has(id);
  const written = new Set(waivers.flatMap(({ check, isKnown }) => (isKnown ? [] : [check])));
  const idle = checks.filter((check) => written.has(check.id) && needsNoWaiver(check));
  return {
    checks: checks.map((check): CheckResult => (isWaived(check) ? { ...check, verdict: "waived" } : check)),
    problems: idle.map(
      ({ id, verdict }) =>
        `the waiver of ${id} is no longer needed (the verdict is ${verdict}): remove the waiver`,
    ),
  };
}

/**
 * A critical finding keeps its waiver under `--letter`, because other runs need it. A check without a full verdict, or with
 * a fault of the suite, proves nothing about the failure.
 */
function needsNoWaiver({ verdict, critical }: CheckResult): boolean {
  return verdict === "pass" || verdict === "observed" || (verdict === "warn" && !critical);
}
