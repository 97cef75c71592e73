import { readFileSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "../text/command.ts";
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

/** Reads a file of waivers; throws {@link CommandError} (2) with one line that names the file and the bad entry. */
export function readWaivers(path: string): Waiver[] {
  const found = Waivers.safeParse(readJson(path));
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const where = problem ? z.core.toDotPath(problem.path) : "";
  throw new CommandError(2, [
    `WAIVERS: ${path}${where ? ` at ${where}` : ""}: ${problem?.message}; ` +
      `expected [{ "check", "reason", "owner", "ticket"?, "expires": "YYYY-MM-DD" }]`,
  ]);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(2, [`WAIVERS: cannot read ${path}: ${(error as Error).message}`]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(2, [`WAIVERS: ${path} is not valid JSON: ${(error as Error).message}`]);
  }
}

export interface Waived {
  readonly checks: readonly CheckResult[];
  /** One line for each waiver that has expired, is no longer needed, or names no check. */
  readonly problems: readonly string[];
}

/**
 * Turns waived failures into `waived`. `today` is YYYY-MM-DD. `known` holds the ids of all checks, so that a waiver of
 * a check that was not selected causes no complaint.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly Waiver[],
  today: string,
  known: ReadonlySet<string> = new Set(checks.map((check) => check.id)),
): Waived {
  const results = new Map(checks.map((check) => [check.id, check]));
  const problems: string[] = [];
  for (const waiver of waivers) {
    const check = results.get(waiver.check);
    const problem = problemOf(waiver, check, today, known);
    if (problem) problems.push(`the waiver of ${waiver.check} ${problem}`);
    else if (check?.verdict === "fail") results.set(check.id, { ...check, verdict: "waived" });
  }
  return { checks: [...results.values()], problems };
}

function problemOf(
  { check: id, expires }: Waiver,
  check: CheckResult | undefined,
  today: string,
  known: ReadonlySet<string>,
): string | undefined {
  if (!check)
    return known.has(id) ? undefined : "names no check of this suite: correct the id or remove the waiver";
  if (expires < today) return `expired on ${expires}: fix the failure or extend the waiver`;
  if (needsNoWaiver(check)) return `is no longer needed (the verdict is ${check.verdict}): remove the waiver`;
  return undefined;
}

/**
 * A critical check that warns keeps its waiver, because `--hardened` needs it. A check without a full verdict, or with
 * a fault of the suite, proves nothing about the failure.
 */
function needsNoWaiver({ verdict, critical }: CheckResult): boolean {
  return verdict === "pass" || verdict === "observed" || (verdict === "warn" && !critical);
}
