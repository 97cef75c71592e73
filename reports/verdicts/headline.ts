import { operations } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import {
  capitalised,
  countsOf,
  cut,
  duration,
  plural,
  present,
  type Row,
  rowsOf,
  type State,
  shown,
  time,
  worstFirst,
} from "../wording.ts";
import { groupInWords, openGroups } from "./open.ts";
import type { Outcome } from "./outcome.ts";
import { requirementResults } from "./rules.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, hasVerdict, isExcluded, isOpen } from "./verdict.ts";

/** Outcomes that exit code 0 does not contradict. */
const TOLERATED: Partial<Readonly<Record<Outcome, string>>> = {
  "non-conformant": "Not conformant, but no worse than the baseline",
  "not-fully-verified": "Passed, but not fully verified",
};

/** Says the outcome in a few words. A conformant run that does not cover everything says what it covers. */
export function headline({
  outcome,
  exitCode,
  outOfScope,
  target,
}: Pick<Verdicts, "outcome" | "exitCode" | "outOfScope" | "target">): string {
  const words = (exitCode === 0 && TOLERATED[outcome]) || capitalised(shown[outcome].word);
  if (outcome !== "conformant") return words;
  if (target.environment === "live") return `${words} for environment separation only`;
  const excluded = operations.filter(({ id }) => outOfScope.includes(id)).length;
  const { length } = operations;
  return excluded > 0 ? `${words} for ${length - excluded} of ${length} operations` : words;
}

/** Says in one sentence, without its full stop, what decided and what the operator declared out of scope. */
export function reasonOf({ because, outOfScope }: Pick<Verdicts, "because" | "outOfScope">): string {
  return outOfScope.length > 0 ? `${because}; out of scope: ${outOfScope.join(", ")}` : because;
}

/** Names the deployment as its operator does, with its version: `payments staging 2.4`. */
export const targetName = ({ target }: { readonly target: Target }): string =>
  present(target.name, target.version).join(" ") || target.baseUrl;

type Target = Pick<Verdicts["target"], "name" | "version" | "baseUrl">;

/** Says what went wrong in a run other than findings. */
export const problemsOf = ({ problems, checks }: Verdicts): string[] => [
  ...problems,
  ...checks
    .filter(hasVerdict("suite-error"))
    .map(({ id, message = "the suite broke" }) => `${id}: ${message}`),
];

/** Says what the run did not decide; empty if it decided everything. */
export function leftOpen(checks: readonly CheckResult[]): string {
  const open = checks.filter(isOpen);
  return open.length > 0 ? `Left undecided: ${countsOf(worstFirst(open))}.` : "";
}

/**
 * Says how often the target failed in a run, and how fast the run sent:
 * `7 server errors and 2 requests without a response in 2,080 requests (46/s on average)`.
 */
export function trafficLine({
  traffic,
  startedAt,
  finishedAt,
}: Pick<Verdicts, "traffic" | "startedAt" | "finishedAt">): string | undefined {
  if (!traffic) return undefined;
  const { requests, serverErrors, timeouts } = traffic;
  const silent = timeouts > 0 ? ` and ${plural(timeouts, "request")} without a response` : "";
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const rate = seconds > 0 ? ` (${Number((requests / seconds).toPrecision(2))}/s on average)` : "";
  return `${plural(serverErrors, "server error")}${silent} in ${plural(requests, "request")}${rate}`;
}

/** What overviews count, in their order. */
const COUNTED = ["pass", "fail", "warn", "open", "waived", "suite-error", "excluded", "observed"] as const;
/** They are left out where they are 0. */
const OPTIONAL: readonly State[] = ["waived", "suite-error", "excluded"];

const isIn = (state: (typeof COUNTED)[number]) =>
  state === "open" ? isOpen : state === "excluded" ? isExcluded : hasVerdict(state);

/** The states that an overview of these checks counts, each with its count. */
export const countsIn = (checks: readonly CheckResult[]) =>
  COUNTED.map((state) => ({ state, count: checks.filter(isIn(state)).length })).filter(
    ({ state, count }) => count > 0 || !OPTIONAL.includes(state),
  );

/** The tested operations in the order of the specification, each with the counts of its checks by the states in `states`. */
export function operationTable(checks: readonly CheckResult[]) {
  const states = countsIn(checks).map(({ state }) => state);
  const groups = groupBy(checks, ({ operation }) => operation);
  const rows = operations.flatMap((operation) => {
    const own = groups.get(operation.id);
    if (!own) return [];
    const counts = states.map((state) => own.filter(isIn(state)).length);
    return [{ operation, state: stateOf(own), counts }];
  });
  return { states, rows };
}

/** The verdict on an operation, from its MUST checks and its failures; a warning only shows where they all passed. */
function stateOf(checks: readonly CheckResult[]): State {
  const must = checks.filter(({ level }) => level === "MUST");
  const worst = (["suite-error", "fail", "waived"] as const).find((one) => checks.some(hasVerdict(one)));
  if (worst) return worst;
  if (checks.every(isExcluded)) return "excluded";
  if (must.some((check) => check.verdict !== "pass" && !isExcluded(check))) return "open";
  return checks.some(hasVerdict("warn")) ? "warn" : must.length > 0 ? "pass" : "none";
}

/** What was tested, with which version of the suite, when and how. */
export function factsOf(file: Verdicts): Row[] {
  const { target, suite, hardened, strict } = file;
  const isLive = target.environment === "live";
  return rowsOf([
    ["Target", target.embedded ? "embedded sandbox" : targetName(file)],
    ["Base URL", target.baseUrl],
    ["Environment", isLive ? "live (environment separation only)" : target.environment],
    ["Tested", `${time(file.startedAt)}, for ${duration(file)}`],
    ["Suite", `payments-conformance ${suite.version}, commit ${suite.commit}`],
    ["Seed", `${file.seed}`],
    ["Command", file.command],
    ["Modes", present(hardened && "hardened", strict && "strict").join(", ")],
    ["Exit code", `${file.exitCode}`],
  ]);
}

/** The questions of those who decide about a release, each with its answer. */
export function answersOf(file: Verdicts): Row[] {
  const { checks, outOfScope, selected, target } = file;
  const excluded = checks.filter(isExcluded).length;
  const open = openGroups(checks).map(([reason, some]) => `${reason}: ${groupInWords(some)}`);
  return rowsOf([
    ["Release", release(file)],
    ["Server errors", trafficLine(file)],
    ["Warnings", aboutWarnings(file)],
    ["Not proved", !selected && target.environment !== "live" && aboutRequirements(checks)],
    ["Not tested", open.length > 0 && `${cut(open, 3, andMore).join("; ")}.`],
    ["Out of scope", excluded > 0 && `${outOfScope.join(", ")} (${plural(excluded, "check")})`],
  ]);
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
  const warned = checks.filter(hasVerdict("warn"));
  if (warned.length === 0) return "None.";
  const critical = warned.flatMap((check) => (check.critical ? [check.id] : []));
  const [does, it] = warned.length === 1 ? ["does", "it"] : ["do", "they"];
  const block = `${plural(warned.length, "warning")}, which ${does} not block a release`;
  if (hardened) return `${block}; --hardened has turned the critical ones into failures.`;
  if (critical.length === 0) return `${block}, nor would ${it} under --hardened.`;
  const ones = critical.length === 1 ? "one" : "ones";
  return `${block}. Under --hardened, ${critical.length} critical ${ones} would: ${cut(critical, 3, andMore).join(", ")}.`;
}

function aboutRequirements(checks: readonly CheckResult[]): string {
  const results = requirementResults(checks);
  const unproved = results.filter((result) => result.unproved !== undefined);
  if (unproved.length === 0) return `All ${results.length} requirements were proved.`;
  const violated = unproved.filter(hasVerdict("fail")).length;
  const untestable = unproved.filter(({ testable }) => testable === "no").length;
  const parts = present(
    violated > 0 && `${violated} violated`,
    untestable > 0 && `${untestable} that no test over HTTP can prove`,
  ).join(", ");
  return `${unproved.length} of ${plural(results.length, "requirement")}${parts && ` (${parts})`}: see Requirements, with the reason for each.`;
}

const andMore = (count: number) => `and ${count} more`;
