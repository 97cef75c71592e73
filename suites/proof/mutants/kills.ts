import { glob } from "../../runner/checklist.ts";
import { readRecord, writeRecord } from "../records/record.ts";
import type { Entry } from "./campaign.ts";

const KILLS = new URL("../records/kills.txt", import.meta.url);

const HEAD =
  "The checks that each mutant turns red; ~ marks those that may or may not. Written by npm run mutants -- --record.";

/** Marks a check, or a pattern of checks, that chance or timing decides about. */
const MARK = "~";

/** In the line of a variation: a run cannot decide nearly all MUST checks. */
const UNDECIDED = "undecided";

/** What the record says about one mutant. */
export interface Kills {
  /** The checks that turn red. */
  readonly certain: readonly string[];
  /** Checks, and patterns of checks, that may or may not turn red. */
  readonly possible: readonly string[];
  readonly leavesUndecided: boolean;
}

/** Reads what the line of a mutant says. */
export function parseKills(found: string): Kills {
  const words = found.split(" ").filter((word) => word !== "-");
  return {
    certain: words.filter((word) => !word.startsWith(MARK) && word !== UNDECIDED),
    possible: words.filter((word) => word.startsWith(MARK)).map((word) => word.slice(MARK.length)),
    leavesUndecided: words.includes(UNDECIDED),
  };
}

/** Reads what each mutant turned red when it was recorded, by kind and id. */
export const readKills = (): ReadonlyMap<string, Kills> =>
  new Map([...readRecord(KILLS)].map(([key, found]) => [key, parseKills(found)]));

/** Whether the record says that a check may turn red. */
export const isPossible = ({ possible }: Kills, id: string) => possible.some((pattern) => glob(pattern)(id));

/** Records what each mutant turned red, and keeps the marks of its line; `complete` if every mutant was tried. */
export function recordKills(entries: readonly Entry[], complete: boolean) {
  const known = readKills();
  const tried = entries.filter(({ kind }) => kind !== "baseline");
  const lines = tried.map(({ kind, id, red, leavesUndecided }) => {
    const key = `${kind} ${id}`;
    const old = known.get(key) ?? parseKills("");
    const words = [
      ...red.filter((check) => old.certain.includes(check) || !isPossible(old, check)),
      ...old.possible.map((pattern) => MARK + pattern),
      ...(old.leavesUndecided || leavesUndecided ? [UNDECIDED] : []),
    ];
    return { key, found: words.join(" ") || "-" };
  });
  writeRecord(KILLS, HEAD, lines, { complete });
}
