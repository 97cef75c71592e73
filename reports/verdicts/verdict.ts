import { z } from "zod";
import { operations } from "../../schemas/contract.ts";
import type { RequirementId } from "../../schemas/requirements.ts";
import type { buildVerdicts } from "../build-verdicts.ts";
import { Waiver } from "./waivers.ts";

export type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> };

const Operation = z.enum(
  operations.map(({ id }) => id),
  "is not an operation",
);
const Requirement = z.custom<RequirementId>(
  (value) => typeof value === "string" && /^R\d{3}$/.test(value),
  "is not a requirement",
);

/** How hard a check judges: a violation of a MUST fails, a violation of a SHOULD warns, an OBSERVE only records. */
export const Level = z.enum(["MUST", "SHOULD", "OBSERVE"]);
export type Level = z.infer<typeof Level>;

export const Verdict = z.enum([
  "pass",
  /** The API did what the check demands, but perhaps for another reason: no accepted control supports it. */
  "pass-weak",
  "fail",
  "warn",
  "observed",
  "inconclusive",
  "not-tested",
  "waived",
  /** The suite itself broke; this never counts against the target. */
  "suite-error",
]);
export type Verdict = z.infer<typeof Verdict>;

export const hasVerdict =
  (wanted: Verdict) =>
  ({ verdict }: { readonly verdict: string }) =>
    verdict === wanted;

/** Whether a result is a failure of what the specification, or the mandate, requires. */
export const isMustFailure = ({ verdict, critical }: Judged) => verdict === "fail" && !critical;

/**
 * Whether a result blocks a release although no sentence of the specification is violated: that of a critical check, or of
 * a MUST check that found something else. Under `--letter` it warns.
 */
export const isCriticalFinding = ({ verdict, critical }: Judged) =>
  critical === true && (verdict === "fail" || verdict === "warn");

/** Whether a result is a warning that nobody has to act on before a release. */
export const isPlainWarning = ({ verdict, critical }: Judged) => verdict === "warn" && !critical;

interface Judged {
  readonly verdict: Verdict;
  readonly critical?: true;
}

/** What reports show of a result: its verdict, in which critical findings are apart from failures. */
export const stateOf = (check: Judged): Verdict | "critical" =>
  isCriticalFinding(check) ? "critical" : check.verdict;

/** Whether a check has neither proved nor disproved anything. */
export const isUndecided = ({ verdict }: { readonly verdict: Verdict }) =>
  verdict === "inconclusive" || verdict === "not-tested" || verdict === "pass-weak";

const NotTestedReason = z.enum([
  "variable",
  "empty-list",
  "spent",
  "budget",
  /** The amount is so large that no budget is meant to cover it. */
  "unaffordable",
  "out-of-scope",
  /** This deployment leaves out what the specification lets it leave out. */
  "not-applicable",
  "interrupted",
  /** This machine could send or record nothing more, or the target was gone. */
  "unreachable",
]);
export type NotTestedReason = z.infer<typeof NotTestedReason>;

export const isExcluded = ({ reason }: { readonly reason?: NotTestedReason | undefined }) =>
  reason === "out-of-scope";

/** Whether a check is undecided that could be decided, and the operator did not exclude it. */
export const isOpen = (check: { readonly verdict: Verdict; readonly reason?: NotTestedReason | undefined }) =>
  isUndecided(check) && !isExcluded(check) && check.reason !== "not-applicable";

const CheckInfo = z.object({
  /** `<operation>/<what it proves>`; it never changes, because waivers name it. */
  id: z.string().min(1),
  /** What the API does if the check passes: `refuses a transfer without accountNumber`. */
  title: z.string().min(1),
  operation: Operation,
  level: Level,
  /** A violation blocks a release, although no sentence of the specification forbids it. */
  critical: z.literal(true).exactOptional(),
  /** The suite's users demand this MUST, not the specification. */
  basis: z.literal("mandate").exactOptional(),
  requirements: z.array(Requirement),
  /** The norms or open items that the check rests on if no requirement covers it, separated by commas. */
  source: z.string().exactOptional(),
});
export type CheckInfo = Frozen<z.infer<typeof CheckInfo>>;

/** One request of those that show a finding, with what the API did; its texts are redacted. */
const Step = z.object({
  /** The request: `POST …/create-single-transfer`. */
  request: z.string(),
  operation: Operation,
  /** What the request does if the API carries it out. */
  effect: z.enum(["read", "create", "update", "money"]),
  /** What the API did: `returned 200`. */
  outcome: z.string(),
  body: z.string().exactOptional(),
  /** The request that violates the rule, or the last one of an inconclusive check. */
  decisive: z.literal(true).exactOptional(),
  /** What to know before repeating it: what to wait for, what to send at the same time, how often to repeat it. */
  notes: z.array(z.string()).exactOptional(),
  exchange: z.string(),
  /**
   * A command for bash that repeats the request. Those of all steps are pasted in their order: what is created has a
   * new reference, which the first of them puts into `$RUN`.
   */
  curl: z.string(),
});
export type Step = Frozen<z.infer<typeof Step>>;

/** The result of one check in one run; its texts are redacted. */
export const CheckResult = CheckInfo.extend({
  verdict: Verdict,
  /** One line that says what was wrong, where, and what to do. */
  message: z.string().exactOptional(),
  actual: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  /** The beginning of the response body that shows a violation. */
  body: z.string().exactOptional(),
  reason: NotTestedReason.exactOptional(),
  /** The variables that would make a `not-tested` or `pass-weak` check complete. */
  variables: z.array(z.string()).exactOptional(),
  /** The check that has to pass before this one can decide. */
  blockedBy: z.string().exactOptional(),
  durationMs: z.number(),
  /** Files below the run's folder, each with one request and its response. */
  exchanges: z.array(z.string()),
  /** A command that repeats the decisive request once `$SECRET_KEY` and any other variable in it are set. */
  curl: z.string().exactOptional(),
  steps: z.array(Step).exactOptional(),
  /** The check is inconclusive because the API rejected a documented request made from the operator's data alone. */
  rejectedValidRequest: z.literal(true).exactOptional(),
  settledBy: z.string().exactOptional(),
});
export type CheckResult = Frozen<z.infer<typeof CheckResult>>;

/** One sentence about what this deployment does where the specification leaves it open. */
export const Observation = z.object({
  /** The open item of the specification: `N33`, `G05`. */
  item: z.string(),
  operation: Operation,
  text: z.string(),
  /** Permitted, but worth checking before the deployment goes live. */
  alarming: z.literal(true).exactOptional(),
});
export type Observation = Frozen<z.infer<typeof Observation>>;

/** A record that the run created and that no operation of the API can delete. */
export const Created = z.object({
  operation: Operation,
  reference: z.string(),
  identifier: z.string().exactOptional(),
  at: z.string(),
});
export type Created = Frozen<z.infer<typeof Created>>;

/** How many amounts, and their sum. */
const Sum = z.object({ count: z.number(), total: z.number() });
export type Sum = Frozen<z.infer<typeof Sum>>;

/** The most of both; `null` means that there is no cap. */
const Limit = z.object({ count: z.number().nullable(), total: z.number().nullable() });
export type Limit = Frozen<z.infer<typeof Limit>>;

/** What the selected checks may move. */
const Expected = z.object({
  /** The least that they pay if the API is conformant: some payouts depend on the target, the configuration or on each other. */
  least: Sum,
  /** The caps with which no check is left out for what it costs, but for amounts that are too large on purpose. */
  needed: Sum,
  /** The most: with probes, and with what a faulty API pays for what it must reject. */
  worst: Sum,
  /** The operator's caps. */
  cap: Limit,
});
export type Expected = Frozen<z.infer<typeof Expected>>;

/** What the run moved, in the unit in which amounts were sent. */
export const Money = z.object({
  /** What the selected checks pay at most, without probes, if the API is conformant. */
  planned: Sum,
  expected: Expected.exactOptional(),
  /** Payouts that the target made, and requests whose outcome is unknown. */
  kept: Sum,
  released: Sum,
  limit: Limit,
});
export type Money = Frozen<z.infer<typeof Money>>;

/** The requests of a run's checks, and how many of them the target failed. */
export const Traffic = z.object({
  /** All that the checks sent; those of the preflight are not among them. */
  requests: z.number(),
  /** 5xx responses, whatever was sent; not those of an outage, nor the documented rejections with 500. */
  serverErrors: z.number(),
  /** Requests without a complete response in time, lost connections included. */
  timeouts: z.number(),
});
export type Traffic = Frozen<z.infer<typeof Traffic>>;

/** What is known before the first check of a run. */
export const RunStarted = z.object({
  type: z.literal("run"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.string(),
    environment: z.enum(["sandbox", "live"]),
    embedded: z.boolean(),
    pathForms: z.record(z.string(), z.enum(["bare", "prefixed"])),
  }),
  startedAt: z.iso.datetime(),
  pid: z.number().exactOptional(),
  seed: z.number(),
  command: z.enum(["certify", "gate"]),
  /** The command with its options, as the operator typed it. */
  commandLine: z.string(),
  strict: z.boolean(),
  /** Judged by the letter of the specification alone (`--letter`): critical findings only warn. */
  letter: z.boolean(),
  selected: z.boolean(),
  outOfScope: z.array(z.string()),
  waivers: z.array(Waiver),
  validDays: z.number(),
});
export type RunStarted = Frozen<z.infer<typeof RunStarted>>;

export const VERDICTS_FILE = "verdicts.json";

/** What `verdicts.json` repeats of the beginning of its run. */
export const Known = RunStarted.omit({ type: true, pid: true, command: true, commandLine: true });

/** The content of `verdicts.json`. */
export type Verdicts = ReturnType<typeof buildVerdicts>;

/** What overviews count checks as, the worst first. */
const COUNTED = [
  "fail",
  "critical",
  "suite-error",
  "waived",
  "open",
  "excluded",
  "warn",
  "pass",
  "observed",
] as const;
export type Counted = (typeof COUNTED)[number];

/** What a check counts as: a check that does not apply to the deployment as nothing. */
function countedAs(check: CheckResult): Counted | undefined {
  const state = isExcluded(check) ? "excluded" : isOpen(check) ? "open" : stateOf(check);
  return COUNTED.find((one) => one === state);
}

/** The checks by what they count as, the worst first. */
export const counted = (checks: readonly CheckResult[]) =>
  COUNTED.map((state) => ({ state, count: checks.filter((check) => countedAs(check) === state).length }));

/** The worst that one of some checks counts as. */
export const worstOf = (checks: readonly CheckResult[]): Counted | undefined =>
  counted(checks).find(({ count }) => count > 0)?.state;
