import type { Verdict } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Damage, Passing } from "./hostile-target.ts";

/** What an attack is aimed at: false greens, money, hangs and crashes, false reds, secrets. */
export const AREAS = { 1: "green", 2: "money", 3: "crash", 4: "red", 5: "secret" } as const;
export type Area = keyof typeof AREAS;

/** One attack on the suite, and what must come of it. */
export interface Attack {
  /** Unique, and never changed: `--select` finds it. */
  readonly name: string;
  readonly area: Area;
  /** Runs in `npm test` too. */
  readonly fast?: true;
  readonly command?: "certify" | "gate" | "load";
  /** The operation whose answers are damaged, or all of them. */
  readonly victim?: OperationId | "every";
  /** Which answers of the victim are damaged; without it, all successes. */
  readonly when?: (passing: Passing) => boolean;
  readonly damage?: Damage;
  readonly args?: readonly string[];
  /** The checks to run; without it, those that the answers of the victim decide, and two that they do not. */
  readonly select?: string;
  /** Settings in addition to those of the sandbox; `undefined` removes one. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The settings above are all there are. */
  readonly bare?: true;
  /** Files of the folder in which the command runs. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command is killed so many milliseconds after its first payment, and then started again in the same folder. */
  readonly killedAfter?: number;
  readonly exit: readonly number[];
  /** Verdicts that checks must reach. */
  readonly verdicts?: Readonly<Record<string, readonly Verdict[]>>;
  /** What the command must print. */
  readonly says?: RegExp;
  /** A text that the attack brings in; no artefact may show it as it is. */
  readonly venom?: string;
  /** Longer than this, and the command hangs. */
  readonly seconds?: number;
}

/** What must come of damage that is a violation, and of damage that is legal, if nothing else is said. */
export const FAILED = { exit: [1], verdicts: { "getDispute/accepted": ["fail"] } } as const;
export const PASSED = { exit: [0], verdicts: { "getDispute/accepted": ["pass"] } } as const;

/** What the answers of an operation decide, and two checks that have nothing to do with them. */
export function selectionOf({ victim = "getDispute", select }: Attack): string {
  if (select !== undefined) return select;
  const names = ["accepted", "answers/json", "answers/success-shape"];
  const hit = victim === "every" ? "getDispute" : victim;
  return [...names.map((name) => `${hit}/${name}`), "listTransfers/accepted", "getProfile/exists"].join(",");
}
