import { contract } from "../../schemas/contract.ts";
import { plural } from "../text/wording.ts";
import { consequencesOf } from "../verdicts/causes.ts";
import { blockedCounts } from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { commands } from "./commands.ts";
import { fitted, type Room, section } from "./layout.ts";

/** Longer quotations of a response are cut; the evidence has all of it. */
const LONGEST = 400;
/** A failure names this many evidence files; `verdicts.json` has all of them. */
const MOST_FILES = 3;
/** A failure states this many of its rules in words. */
const MOST_RULES = 3;

/** Renders every failure: what the API did, what was expected and why, the evidence, and the commands that repeat it. */
export function failures(file: Verdicts, room: Room): string[] {
  const failed = file.checks.filter((check) => check.verdict === "fail");
  const blocked = blockedCounts(file.checks);
  const consequences = consequencesOf(file.checks);
  const told = new Set([...consequences.values()].flat());
  const lines = failed
    .filter((check) => !told.has(check))
    .flatMap((check) => {
      const following = consequences.get(check.id) ?? [];
      const blocks = [check, ...following].reduce((sum, { id }) => sum + (blocked.get(id) ?? 0), 0);
      return ["", ...block(check, blocks, room, following)];
    });
  return section(`FAILED (${failed.length})`, lines, room, "red");
}

/** Renders everything about one finding; `blocks` is the number of checks that it keeps from running, `following` what else it explains. */
export function block(
  check: CheckResult,
  blocks: number,
  room: Room,
  following: readonly CheckResult[] = [],
): string[] {
  const { method, route } = contract[check.operation];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["operation", `${method} ${route}`],
    ["checks that", `the API ${check.title}`],
    ["actual", check.actual ?? check.message],
    ["expected", check.verdict === "inconclusive" ? undefined : check.expected],
    ...reasons(check),
    ["response", check.body],
    ["settled by", check.settledBy],
    ["evidence", evidence(check, room)],
    ["explains", explained(following)],
    ["blocks", blocks > 0 ? `${plural(blocks, "other check")}, which could not run` : undefined],
  ];
  const { paint } = room;
  const level = check.critical ? `${check.level}, critical` : check.level;
  return [
    `  ${paint("bold", check.id)} ${paint("dim", `(${level})`)}`,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`    ${name.padEnd(11)}  ${fitted(value, LONGEST, room)}`],
    ),
    ...commands(check, paint),
  ];
}

/** The failures that follow from another in full, since each needs a waiver of its own, and how much else does. */
function explained(following: readonly CheckResult[]): string | undefined {
  const of = (verdict: CheckResult["verdict"]) => following.filter((check) => check.verdict === verdict);
  const [warned, open] = [of("warn").length, of("inconclusive").length];
  const parts = [
    ...of("fail").map(({ id }) => `the failure of ${id}`),
    ...(warned > 0 ? [plural(warned, "warning")] : []),
    ...(open > 0 ? [`${plural(open, "check")} that could not decide`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

/** The first rules in words; `verdicts.json` and the other reports state all of them. */
function reasons(check: CheckResult): (readonly [string, string])[] {
  const rules = rulesOf(check);
  const stated = rules.slice(0, MOST_RULES).map((rule) => [leadToRules(check), rule] as const);
  const others = rules.slice(MOST_RULES).map((rule) => rule.replace(/:? .*/, ""));
  return others.length > 0 ? [...stated, ["", `also ${others.join(", ")}`]] : stated;
}

function evidence({ exchanges }: CheckResult, { directory }: Room): string | undefined {
  if (exchanges.length === 0) return undefined;
  const files = exchanges.slice(0, MOST_FILES).map((name) => (directory ? `${directory}/${name}` : name));
  const rest = exchanges.length - files.length;
  return [...files, ...(rest > 0 ? [`${rest} more in verdicts.json`] : [])].join(", ");
}
