import { readFileSync } from "node:fs";
import { Refusal } from "../fixtures/command-line.ts";
import type { CheckInfo, Level } from "../reports/verdict.ts";
import type { OperationId } from "../schemas/contract.ts";
import type { RequirementId } from "../schemas/requirements.ts";
import { glob } from "./glob.ts";

/** The generated list of all checks, beside this file. */
export const CHECKLIST = new URL("./checks.txt", import.meta.url);

/** A check as the list has it, before any file of it is loaded. */
export interface Listed extends CheckInfo {
  /** Money calls that a conformant target accepts in this check. */
  readonly pays: number;
  /** Runs only with `--probe-writes`. */
  readonly probe?: true;
  /** Its file, relative to suites/. */
  readonly file: string;
}

/** One line of the list: id, level (`!` critical, `*` mandate), requirements or source, payouts, file. */
export function formatListed({
  id,
  level,
  critical,
  basis,
  requirements,
  source,
  pays,
  file,
  probe,
}: Listed): string {
  const mark = `${critical ? "!" : ""}${basis ? "*" : ""}`;
  return [
    id,
    level + mark,
    requirements.join(",") || (source ?? "-"),
    `pays=${pays}${probe ? " probe" : ""}`,
    file,
  ].join("\t");
}

/** Reads the generated list of checks. */
export function readChecklist(): Listed[] {
  const lines = readFileSync(CHECKLIST, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [id = "", level = "", basis = "", pays = "", file = ""] = line.split("\t");
    const isRequirements = /^R\d{3}(,R\d{3})*$/.test(basis);
    return {
      id,
      operation: id.split("/", 1)[0] as OperationId,
      level: level.replace(/\W+$/, "") as Level,
      ...(level.includes("!") && { critical: true as const }),
      ...(level.includes("*") && { basis: "mandate" as const }),
      requirements: isRequirements ? (basis.split(",") as RequirementId[]) : [],
      ...(!isRequirements && basis !== "-" && { source: basis }),
      pays: Number.parseInt(pays.replace("pays=", ""), 10),
      ...(pays.endsWith("probe") && { probe: true as const }),
      file,
    };
  });
}

/**
 * The checks that `--only` selects: an operation's id, a check's id, or a pattern in which `*` stands for
 * anything. Throws a {@link Refusal} (2) when a pattern selects nothing.
 */
export function select(checks: readonly Listed[], patterns: readonly string[]): Listed[] {
  if (patterns.length === 0) return [...checks];
  const matchers = patterns
    .flatMap((pattern) => pattern.split(","))
    .map((pattern) => ({ pattern, matches: matcher(pattern) }));
  const idle = matchers.filter(({ matches }) => !checks.some(matches)).map(({ pattern }) => pattern);
  if (idle.length > 0) {
    throw new Refusal(2, [
      `--only ${idle.join(", ")} selects no check: give an operation (createTransfer), a check, or a pattern ('createTransfer/*'); npm run certify -- --list shows all`,
    ]);
  }
  return checks.filter((check) => matchers.some(({ matches }) => matches(check)));
}

function matcher(pattern: string): (check: Listed) => boolean {
  const matches = glob(pattern);
  return ({ id, operation }) => operation === pattern || matches(id);
}
