import type { Verdict } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Damage, Passing } from "./hostile-target.ts";

/** One attack on a command of the suite, and what must come of it. */
export interface Attack {
  /** Unique: `--select` finds it. */
  readonly name: string;
  readonly command?: "certify" | "load";
  /** The operation whose responses are damaged, or all of them. */
  readonly victim?: OperationId | "every";
  /** Which responses of the victim are damaged; without it, all successes. */
  readonly when?: (passing: Passing) => boolean;
  readonly damage?: Damage;
  readonly args?: readonly string[];
  /** The checks to run; without it, those that the responses of the victim decide, and two that they do not. */
  readonly select?: string;
  /** Settings in addition to those of the sandbox. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Files of the folder in which the command runs. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command is killed this many milliseconds after its first payment, and then started again in the same folder. */
  readonly killedAfter?: number;
  readonly exit: readonly number[];
  /** Verdicts that checks must reach. */
  readonly verdicts?: Readonly<Record<string, readonly Verdict[]>>;
  /** What the command must print. */
  readonly says?: RegExp;
  /** A text that the attack brings in; no artefact may show it as it is. */
  readonly payload?: string;
  /** A command that runs longer hangs. */
  readonly seconds?: number;
}

/** What must come of an attack. */
export type Expected = Pick<Attack, "exit" | "verdicts" | "says">;

/** The response violates the specification. */
export const FAILED: Expected = { exit: [1], verdicts: { "getDispute/accepted": ["fail"] } };
/** The response is odd and legal. */
export const PASSED: Expected = { exit: [0], verdicts: { "getDispute/accepted": ["pass"] } };
/** Nothing was decided wrongly, nothing hangs or crashes, and the other checks pass. */
export const SURVIVED: Expected = {
  exit: [1, 4],
  verdicts: { "getDispute/accepted": ["fail", "inconclusive"] },
};

/** One attack for each entry of a table: `make` turns its value into what the attack does. */
export const attacks = <T>(
  kind: string,
  table: Readonly<Record<string, T>>,
  make: (value: T, name: string) => Omit<Attack, "name">,
): Attack[] =>
  Object.entries(table).map(([name, value]) => ({ name: `${kind}/${name}`, ...make(value, name) }));

/** The checks that the responses of an operation decide, and two checks that have nothing to do with them. */
export function selectionOf({ victim = "getDispute", select }: Attack): string {
  if (select !== undefined) return select;
  const hit = victim === "every" ? "getDispute" : victim;
  const decided = ["accepted", "answers/json", "answers/success-shape"].map((name) => `${hit}/${name}`);
  return [...decided, "listTransfers/accepted", "getProfile/exists"].join(",");
}
