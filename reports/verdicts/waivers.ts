import { readFileSync } from "node:fs";
import { z } from "zod";
import { UnusableFile } from "../text/unusable-file.ts";
import type { CheckResult } from "./verdict.ts";

/** Accepts the failure of one check, for a reason, by somebody, until a day. */
export const Waiver = z.strictObject({
  check: z.string().min(1),
  reason: z.string().trim().min(1, "say why the failure is accepted"),
  owner: z.string().trim().min(1, "say who accepts it"),
  ticket: z.string().min(1).exactOptional(),
  /** The last day on which the waiver counts, in UTC. */
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

/** Reads a file of waivers; throws {@link UnusableFile} with one line that names the file and the entry. */
export function readWaivers(path: string): Waiver[] {
  const found = Waivers.safeParse(readJson(path));
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const where = problem ? z.core.toDotPath(problem.path) : "";
  throw new UnusableFile(
    `WAIVERS: ${path}${where ? ` at ${where}` : ""}: ${problem?.message}; ` +
      `expected [{ "check", "reason", "owner", "ticket"?, "expires": "YYYY-MM-DD" }]`,
  );
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UnusableFile(`WAIVERS: cannot read ${path}: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableFile(`WAIVERS: ${path} is no JSON: ${(error as Error).message}`);
  }
}

export interface Waived {
  readonly checks: readonly CheckResult[];
  /** Waivers that are expired, no longer needed or match nothing, one line each. */
  readonly problems: readonly string[];
}

/**
 * Turns the failures that are waived into `waived`. `today` is YYYY-MM-DD; `known` holds the ids of all
 * checks, so that a waiver of a check that was not selected is not taken for one that matches nothing.
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
    if (!check) {
      if (!known.has(waiver.check))
        problems.push(`waiver of ${waiver.check}: there is no such check, remove it`);
    } else if (waiver.expires < today) {
      problems.push(`waiver of ${waiver.check}: expired on ${waiver.expires}, fix the failure or renew it`);
    } else if (check.verdict === "fail") {
      results.set(check.id, { ...check, verdict: "waived" });
    } else if (needsNoWaiver(check)) {
      problems.push(`waiver of ${waiver.check}: the check no longer fails (${check.verdict}), remove it`);
    }
  }
  return { checks: [...results.values()], problems };
}

/**
 * A critical check that warns keeps its waiver, which `--hardened` needs; what came to no full verdict,
 * or is a fault of the suite, says nothing about the failure.
 */
function needsNoWaiver({ verdict, critical }: CheckResult): boolean {
  return verdict === "pass" || verdict === "observed" || (verdict === "warn" && !critical);
}
