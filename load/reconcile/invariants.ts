import type { Transfer } from "./transfers.ts";

const TITLES = {
  L1: "every accepted transfer is listed",
  L2: "no reference is paid twice",
  L3: "every response to a reference has the same transactionId",
  L4: "no two references share a transactionId",
  L6: "a transfer with an unknown outcome is made at most once",
  L9: "every response has its documented shape",
} as const;

export type InvariantId = keyof typeof TITLES;

/** Something that must be true of the target under any load, and whether it was. */
export interface Invariant {
  readonly id: InvariantId;
  readonly title: string;
  /** `warned`: the API should not do this, but no harm is proven. */
  readonly state: "held" | "broken" | "undecided" | "warned";
  /** What was found; it continues the title. */
  readonly text: string;
  /** The references concerned. */
  readonly references: readonly string[];
}

export function invariant(
  id: InvariantId,
  state: Invariant["state"],
  text: string,
  transfers: readonly Transfer[] = [],
): Invariant {
  return { id, title: TITLES[id], state, text, references: transfers.map(({ reference }) => reference) };
}
