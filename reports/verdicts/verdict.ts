import type { OperationId } from "../../schemas/contract.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** How hard a check judges: a violation of a MUST fails, a violation of a SHOULD warns, an OBSERVE only records. */
export type Level = "MUST" | "SHOULD" | "OBSERVE";

/** What a check found. The level decides whether a violation is `fail` or `warn`. */
export type Verdict =
  | "pass"
  /** The API did what the check demands, but perhaps for another reason: no accepted control supports it. */
  | "pass-weak"
  | "fail"
  | "warn"
  | "observed"
  | "inconclusive"
  | "not-tested"
  | "waived"
  /** The suite itself broke; this never counts against the target. */
  | "suite-error";

/** Why a check was not run; this decides whether `gate` can still exit 0. */
export type NotTestedReason =
  | "variable"
  | "empty-list"
  | "spent"
  | "budget"
  | "out-of-scope"
  | "interrupted"
  | "not-embedded";

/** Describes a check, independent of any run. */
export interface CheckInfo {
  /** `<operation>/<what it proves>`; it never changes, because waivers name it. */
  readonly id: string;
  /** What the API does if the check passes: `refuses a transfer without accountNumber`. */
  readonly title: string;
  readonly operation: OperationId;
  readonly level: Level;
  /** A SHOULD that `--hardened` turns into a failure: money, card data or access is at stake. */
  readonly critical?: true;
  /** The suite's users demand this MUST, not the specification. */
  readonly basis?: "mandate";
  readonly requirements: readonly RequirementId[];
  /** The norms or open items that the check rests on if no requirement covers it, separated by commas. */
  readonly source?: string;
}

/** The result of one check in one run. */
export interface CheckResult extends CheckInfo {
  readonly verdict: Verdict;
  /** One line that says what was wrong, where, and what to do. Redacted. */
  readonly message?: string;
  /** What the API did. Redacted. */
  readonly actual?: string;
  /** What the API should have done. Redacted. */
  readonly expected?: string;
  /** The beginning of the response body that shows a violation. Redacted. */
  readonly body?: string;
  readonly reason?: NotTestedReason;
  /** The variables that would make a `not-tested` or `pass-weak` check complete. */
  readonly variables?: readonly string[];
  /** The check that has to pass before this one can decide. */
  readonly blockedBy?: string;
  readonly durationMs: number;
  /** Files below the run's folder, each with one redacted {@link Exchange}. */
  readonly exchanges: readonly string[];
  /** A command that repeats the last request once `$SECRET_KEY` and any other variable in it are set. */
  readonly curl?: string;
}

/** One sentence about what this deployment does where the specification leaves it open. */
export interface Observation {
  /** The open item of the specification: `N33`, `G05`. */
  readonly item: string;
  readonly operation: OperationId;
  readonly text: string;
  /** Permitted, but worth checking before the deployment goes live. */
  readonly alarming?: true;
}

/** A record that the run created and that no operation of the API can delete. */
export interface Created {
  readonly operation: OperationId;
  readonly reference: string;
  /** The identifier in the response, if there was one. */
  readonly identifier?: string;
  readonly at: string;
}

/** What the run moved, in the unit in which amounts were sent. */
export interface Money {
  readonly planned: { readonly count: number; readonly total: number };
  /** Payouts that the target made, and requests whose outcome is unknown. */
  readonly kept: { readonly count: number; readonly total: number };
  /** Requests that the target rejected. */
  readonly released: { readonly count: number; readonly total: number };
  readonly limit: { readonly count: number | null; readonly total: number | null };
}

export type Outcome =
  | "conformant"
  | "non-conformant"
  | "not-fully-verified"
  | "refused"
  | "interrupted"
  | "error";

/** One request and its response as evidence: redacted, with the header order and case of the wire. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    /** The body was longer than what is kept here. */
    readonly truncated?: true;
  };
  /** Why there is no complete response: connection refused or reset, timeout, response cut off. */
  readonly error?: string;
}

/** The content of `verdicts.json`, from which every report is made; `schema` is the version of its shape. */
export interface VerdictsFile {
  readonly schema: "payments-conformance/verdicts@1";
  readonly suite: { readonly version: string; readonly commit: string };
  readonly target: {
    readonly name?: string;
    readonly version?: string;
    readonly baseUrl: string;
    readonly environment: "sandbox" | "live";
    readonly embedded: boolean;
    /** The path form that the target uses, by operation. */
    readonly pathForms: Readonly<Record<string, "bare" | "prefixed">>;
  };
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seed: number;
  readonly command: string;
  readonly outOfScope: readonly string[];
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** What went wrong in addition to the checks, one line each. */
  readonly problems: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
  readonly created: readonly Created[];
  readonly money: Money;
  /** The number of checks by verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** The SHA-256 of every other file of the run, by its path below the run's folder. */
  readonly digests: Readonly<Record<string, string>>;
}

/** The name of the file in the folder of a run. */
export const VERDICTS_FILE = "verdicts.json";

/** The content of `verdicts.json` together with what decided the outcome. */
export interface Verdicts extends VerdictsFile {
  /** Says in one sentence, without its full stop, what decided the outcome. */
  readonly because: string;
  readonly strict: boolean;
  readonly hardened: boolean;
  /** The operator selected some of the checks. */
  readonly selected: boolean;
}
