import { readFileSync } from "node:fs";
import { CommandError } from "../../reports/command-line/command.ts";
import type { CheckInfo, Level } from "../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../schemas/contract.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** The generated list of all checks. */
export const CHECKLIST = new URL("../checks.txt", import.meta.url);

/** A check as the list has it; no file of checks has to be loaded for it. */
export interface Listed extends CheckInfo {
  /** Money calls that a conformant target accepts in this check. */
  readonly pays: { readonly least: number; readonly most: number };
  /** Runs only with `--probe-writes`. */
  readonly probe?: true;
  /** Its file, relative to suites/. */
  readonly file: string;
}

/** One line of the list: id, level (`!` critical, `*` mandate), rules, payouts, file, title. */
export function formatListed(check: Listed): string {
  const { id, title, level, requirements, source = "-", pays, file, probe } = check;
  const mark = `${check.critical ? "!" : ""}${check.basis ? "*" : ""}`;
  const least = pays.least === pays.most || probe ? "" : `${pays.least}-`;
  const payouts = `pays=${least}${pays.most}${probe ? " probe" : ""}`;
  return [id, level + mark, requirements.join(",") || source, payouts, file, title].join("\t");
}

/** Reads the generated list of checks. */
export function readChecklist(): Listed[] {
  const lines = readFileSync(CHECKLIST, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [id = "", level = "", rules = "", pays = "", file = "", title = ""] = line.split("\t");
    const isProbe = pays.endsWith(" probe");
    const [, least = "0", most = least] = /^pays=(\d+)(?:-(\d+))?/.exec(pays) ?? [];
    const isRequirements = /^R\d{3}(,R\d{3})*$/.test(rules);
    return {
      id,
      title,
      operation: id.split("/", 1)[0] as OperationId,
      level: level.replace(/\W+$/, "") as Level,
      ...(level.includes("!") && { critical: true as const }),
      ...(level.includes("*") && { basis: "mandate" as const }),
      requirements: isRequirements ? (rules.split(",") as RequirementId[]) : [],
      ...(!isRequirements && rules !== "-" && { source: rules }),
      pays: { least: isProbe ? 0 : Number(least), most: Number(most) },
      ...(isProbe && { probe: true as const }),
      file,
    };
  });
}

/**
 * The checks that `--select` selects by an operation's id, a check's id, or a pattern in which `*` matches anything.
 * Throws a {@link CommandError} (2) if a pattern selects nothing.
 */
export function select(checks: readonly Listed[], patterns: readonly string[]): Listed[] {
  if (patterns.length === 0) return [...checks];
  const problem =
    "selects no check: name an operation (createTransfer), a check or a pattern ('createTransfer/*'); npm run certify -- --list prints all checks";
  return matching("select", checks, ({ id, operation }) => [id, operation], patterns, problem);
}

/** Those of which a name matches; throws a {@link CommandError} (2) with this problem if a pattern matches nothing. */
export function matching<T>(
  option: string,
  all: readonly T[],
  namesOf: (one: T) => readonly string[],
  patterns: readonly string[],
  problem: string,
): T[] {
  const matchers = patterns
    .flatMap((list) => list.split(","))
    .map((pattern) => ({ pattern, matches: glob(pattern) }));
  const idle = matchers.filter(({ matches }) => !all.some((one) => namesOf(one).some(matches)));
  if (idle.length > 0)
    throw new CommandError(2, [`--${option} ${idle.map(({ pattern }) => pattern).join(", ")} ${problem}`]);
  return all.filter((one) => matchers.some(({ matches }) => namesOf(one).some(matches)));
}

/** A matcher for a pattern in which `*` matches anything. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${source.join(".*")}$`);
  return (text) => expression.test(text);
}
