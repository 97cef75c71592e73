import type { OperationId } from "../../schemas/contract.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** How hard a check judges: a violation of a MUST fails, of a SHOULD warns, an OBSERVE is only recorded. */
export type Level = "MUST" | "SHOULD" | "OBSERVE";

/** What a check found out. The level decides whether a violation is `fail` or `warn`. */
export type Verdict =
  | "pass"
  /** Refused as it must be, but no accepted control shows why. */
  | "pass-weak"
  | "fail"
  | "warn"
  | "observed"
  | "inconclusive"
  | "not-tested"
  | "waived"
  /** The suite itself broke; never charged to the target. */
  | "suite-error";

/** Why a check was not run; decides whether `gate` may still exit 0. */
export type NotTestedReason =
  | "variable"
  | "empty-list"
  | "spent"
  | "budget"
  | "out-of-scope"
  | "interrupted"
  | "not-embedded";

/** What a check is, independent of any run. */
export interface CheckInfo {
  /** Stable, `<operation>/<what it proves>`; never renamed without an alias. */
  readonly id: string;
  /** What the API does if the check passes: `refuses a transfer without accountNumber`. */
  readonly title: string;
  readonly operation: OperationId;
  readonly level: Level;
  /** A SHOULD that `--hardened` turns into a failure: money, card data or access is at stake. */
  readonly critical?: true;
  /** Where a MUST rests on the users' mandate instead of the specification. */
  readonly basis?: "mandate";
  readonly requirements: readonly RequirementId[];
  /** For SHOULD and OBSERVE without a requirement: the norm or open item it rests on. */
  readonly source?: string;
}

/** What one run found out about one check. */
export interface CheckResult extends CheckInfo {
  readonly verdict: Verdict;
  /** One line: what was wrong, where, what to do. Redacted. */
  readonly message?: string;
  /** What the target answered, and what was expected instead. Redacted. */
  readonly actual?: string;
  readonly expected?: string;
  /** The beginning of the body that shows a violation. Redacted. */
  readonly body?: string;
  readonly reason?: NotTestedReason;
  /** The variables that would make a `not-tested` or `pass-weak` check complete. */
  readonly variables?: readonly string[];
  /** The check this one could not run without, and that did not hold. */
  readonly blockedBy?: string;
  readonly durationMs: number;
  /** Files below the run's folder, each one redacted {@link Exchange}. */
  readonly exchanges: readonly string[];
  /** Repeats the deciding request once `$SECRET_KEY` (and what else it names) is set. */
  readonly curl?: string;
}

/** One sentence about this deployment on something the specification leaves open. */
export interface Observation {
  /** `N33`, `G05`: the open item of the specification. */
  readonly item: string;
  readonly operation: OperationId;
  readonly text: string;
  /** Permitted, yet worth a look before a deployment goes live. */
  readonly alarming?: true;
}

/** Something the run created and that no operation of the API can delete. */
export interface Created {
  readonly operation: OperationId;
  readonly reference: string;
  /** The identifier the target gave it, when it gave one. */
  readonly identifier?: string;
  readonly at: string;
}

/** What the run moved, in the unit in which amounts were sent. */
export interface Money {
  readonly planned: { readonly count: number; readonly total: number };
  readonly kept: { readonly count: number; readonly total: number };
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

/** One request and its answer as evidence: already redacted, header order and case as on the wire. */
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
    /** The body was larger than what is kept here. */
    readonly truncated?: true;
  };
  /** Why there is no complete response: refused, reset, deadline passed, cut off. */
  readonly error?: string;
}

/** `verdicts.json`, the only source of every report; its shape is versioned by `schema`. */
export interface VerdictsFile {
  readonly schema: "payments-conformance/verdicts@1";
  readonly suite: { readonly version: string; readonly commit: string };
  readonly target: {
    readonly name?: string;
    readonly version?: string;
    readonly baseUrl: string;
    readonly environment: "sandbox" | "live";
    readonly embedded: boolean;
    /** Path form in use, by operation. */
    readonly pathForms: Readonly<Record<string, "bare" | "prefixed">>;
  };
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seed: number;
  readonly command: string;
  readonly outOfScope: readonly string[];
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Why the run stopped before or besides its checks, one line each. */
  readonly problems: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
  readonly created: readonly Created[];
  readonly money: Money;
  /** Number of checks by verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** SHA-256 of every other file of the run, by its path below the run's folder. */
  readonly digests: Readonly<Record<string, string>>;
}
