import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import { trafficLine } from "./headline.ts";
import { groupInWords, isBlocked } from "./open.ts";
import { requirementResults } from "./requirement-verdicts.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, isExcluded, isOpen } from "./verdict.ts";

/** The first page names at most this many things of a kind. */
const MOST_NAMES = 3;

/** The questions of those who decide about a release, each with its answer if it applies. */
export function answersOf(file: Verdicts): (readonly [question: string, answer: string | undefined])[] {
  const { checks, selected, target } = file;
  const excluded = checks.filter(isExcluded).length;
  return [
    ["Release", release(file)],
    ["Server errors", trafficLine(file)],
    ["Warnings", aboutWarnings(file)],
    ["Not proved", selected || target.environment === "live" ? undefined : aboutRequirements(checks)],
    ["Not tested", aboutVariables(checks)],
    ["Out of scope", excluded > 0 ? `${file.outOfScope.join(", ")} (${plural(excluded, "check")})` : ""],
  ];
}

function release({ outcome, exitCode }: Verdicts): string {
  if (outcome === "conformant") return "Nothing that this run tested blocks it.";
  if (exitCode === 0) return "This run does not block it, but does not prove conformance either.";
  if (outcome === "non-conformant") return "Blocked until every failure is fixed or waived.";
  if (outcome === "not-fully-verified") return "Not decided until what is open has been tested.";
  return "Not decided: the run did not reach its end.";
}

/** Whether warnings block a release, and which of them would under `--hardened`. */
export function aboutWarnings({ checks, hardened }: Pick<Verdicts, "checks" | "hardened">): string {
  const warned = checks.filter(({ verdict }) => verdict === "warn");
  if (warned.length === 0) return "None.";
  const critical = warned.filter((check) => check.critical);
  const block = `${plural(warned.length, "warning")}, which ${warned.length === 1 ? "does" : "do"} not block a release`;
  if (hardened) return `${block}; --hardened has turned the critical ones into failures.`;
  if (critical.length === 0)
    return `${block}, nor would ${warned.length === 1 ? "it" : "they"} under --hardened.`;
  const { named, rest } = firstOf(critical.map(({ id }) => id));
  return `${block}. Under --hardened, ${critical.length} critical ${critical.length === 1 ? "one" : "ones"} would: ${named}${rest}.`;
}

function aboutRequirements(checks: readonly CheckResult[]): string {
  const results = requirementResults(checks);
  const unproved = results.filter((result) => result.unproved !== undefined);
  if (unproved.length === 0) return `All ${results.length} requirements were proved.`;
  const violated = unproved.filter(({ verdict }) => verdict === "fail").length;
  const untestable = unproved.filter(({ testable }) => testable === "no").length;
  const parts = [
    ...(violated > 0 ? [`${violated} violated`] : []),
    ...(untestable > 0 ? [`${untestable} that no test over HTTP can prove`] : []),
  ];
  return `${unproved.length} of ${plural(results.length, "requirement")}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}: see Requirements, with the reason for each.`;
}

/** Which variables would make more checks run, the variable that most checks need first. */
function aboutVariables(checks: readonly CheckResult[]): string | undefined {
  const open = checks.filter((check) => isOpen(check) && !isBlocked(check) && check.variables?.length);
  if (open.length === 0) return undefined;
  const groups = [...groupBy(open, ({ variables = [] }) => variables.join(", "))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([names, some]) => `${names}: ${groupInWords(some, { names: false })}`);
  const { named, rest } = firstOf(groups, "; ");
  return `${named}${rest}.`;
}

function firstOf(texts: readonly string[], separator = ", ") {
  const left = texts.length - MOST_NAMES;
  return {
    named: texts.slice(0, MOST_NAMES).join(separator),
    rest: left > 0 ? `${separator}and ${left} more` : "",
  };
}
