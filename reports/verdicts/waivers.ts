import { z } from "zod";
import { readJsonFile } from "../text/json-file.ts";
import type { CheckResult } from "./verdict.ts";

/** Accepts the failure of one check: for what reason, by whom, and until which day. */
export const Waiver = z.strictObject({
  check: z.string().min(1),
  reason: z.string().trim().min(1, "say why you accept the failure"),
  owner: z.string().trim().min(1, "say who accepts the failure"),
  ticket: z.string().min(1).exactOptional(),
  /** The last day on which the waiver is valid, in UTC. */
  expires: z.iso.date("write the day as YYYY-MM-DD"),
});
export type Waiver = z.infer<typeof Waiver>;

const Waivers = z.array(Waiver).superRefine((waivers, context) => {
  const seen = new Set<string>();
  for (const [index, { check }] of waivers.entries()) {
    if (seen.has(check)) {
      context.addIssue({ code: "custom", path: [index, "check"], message: `${check} is waived twice` });
    }
    seen.add(check);
  }
});

const EXPECTED = `expected [{ "check", "reason", "owner", "ticket"?, "expires": "YYYY-MM-DD" }]`;

/** Reads a file of waivers; throws a `CommandError` (2) with one line that names the file and the bad entry. */
export const readWaivers = (path: string): Waiver[] => readJsonFile("WAIVERS", path, Waivers, EXPECTED);

/**
 * Turns waived failures into `waived`, and returns one line for each waiver that has expired, is no longer needed, or
 * names no check. `today` is YYYY-MM-DD. `known` holds the ids of all checks, so that a waiver of a check that was not
 * selected causes no complaint.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly Waiver[],
  today: string,
  known: ReadonlySet<string>,
) {
  const results = new Map(checks.map((check) => [check.id, check]));
  const problems: string[] = [];
  for (const { check: id, expires } of waivers) {
    const complain = (problem: string) => problems.push(`the waiver of ${id} ${problem}`);
    const check = results.get(id);
    if (!check) {
      if (!known.has(id)) complain("names no check of this suite: correct the id or remove the waiver");
    } else if (expires < today) complain(`expired on ${expires}: fix the failure or extend the waiver`);
    else if (needsNoWaiver(check))
      complain(`is no longer needed (the verdict is ${check.verdict}): remove the waiver`);
    else if (check.verdict === "fail") results.set(id, { ...check, verdict: "waived" });
  }
  return { checks: [...results.values()], problems };
}

/**
 * A critical check that warns keeps its waiver, because `--hardened` needs it. A check without a full verdict, or with
 * a fault of the suite, proves nothing about the failure.
 */
function needsNoWaiver({ verdict, critical }: CheckResult): boolean {
  return verdict === "pass" || verdict === "observed" || (verdict === "warn" && !critical);
}
