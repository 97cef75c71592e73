import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../../reports/text/wording.ts";
import { writeRecord } from "../records/record.ts";
import { isRare, type Judged, SEEN_IN } from "./judge.ts";

/** The variations of which a summary shows how much a run decides. */
const MOST_SHOWN = 40;

/** One mutant and its result. */
export interface Entry extends Judged {
  readonly kind: "baseline" | "fault" | "bad-practice" | "variation" | "mix" | "fault-in-mix";
  /** The id of the fault, bad practice or variation; mixes are numbered. */
  readonly id: string;
  readonly variations: readonly string[];
  /** How many checks were run. */
  readonly checks: number;
  /** Open items on which the observations differ from those of the unchanged sandbox. */
  readonly observedOtherwise?: readonly string[];
}

/** The result of a campaign, in one file, so that two campaigns can be compared. */
export interface Matrix {
  readonly schema: "payments-conformance/mutants@1";
  readonly seed: number;
  readonly full: boolean;
  readonly entries: readonly Entry[];
  /** Mistakes in the declarations. */
  readonly declarations: readonly string[];
  /** Checks that never turned red; absent unless every fault and bad practice was tried. */
  readonly uncaught?: readonly string[];
}

/** Everything that is not as it must be, one line each. */
export function complaintsOf({ entries, declarations, uncaught = [] }: Matrix): string[] {
  return [
    ...declarations,
    ...entries.flatMap(({ kind, id, variations, complaints }) => {
      const name = kind.endsWith("mix") ? `${kind} ${id} (${variations.join(", ")})` : `${kind} ${id}`;
      return complaints.map((complaint) => `${name}: ${complaint}`);
    }),
    ...uncaught.map((id) => `${id}: no fault or bad practice turns it red`),
  ];
}

const rareOnes = (faults: readonly Entry[]) => faults.filter(({ sight }) => isRare(sight ?? {}));

/** How many faults were caught: those that a run must catch, and separately the rarer ones. */
function sightOf(faults: readonly Entry[]): string {
  const rare = rareOnes(faults);
  const common = faults.filter((fault) => !rare.includes(fault));
  const sound = common.filter(({ complaints }) => complaints.length === 0).length;
  const caught = rare.filter(({ sight }) => sight?.isCaught).length;
  return [
    `${sound} of ${common.length} faults that show in at least one of ${SEEN_IN} requests are caught`,
    ...(rare.length > 0 ? [`${rare.length} rarer ones: ${caught} caught`] : []),
  ].join("; ");
}

const rareLine = ({ id, sight }: Entry) =>
  `  ${sight?.isCaught ? "caught" : "missed"}, shows in one of ${sight?.visibleIn} requests: ${id}`;

/** How much a run decides about each variation, the least first; a mix or a pack is no single deployment. */
function decidedLines(variations: readonly Entry[]): string[] {
  const sorted = variations
    .map(({ id, decided = 100 }) => ({ id, decided }))
    .toSorted((a, b) => a.decided - b.decided || (a.id < b.id ? -1 : 1));
  const shown = sorted.slice(0, MOST_SHOWN);
  const next = sorted[MOST_SHOWN];
  return [
    ...(shown.length > 0 ? ["MUST checks that a run decides:"] : []),
    ...shown.map(({ id, decided }) => `  ${decided.toFixed(1).padStart(5)} % of ${id}`),
    ...(next
      ? [`  at least ${next.decided.toFixed(1)} % of ${sorted.length - MOST_SHOWN} other variations`]
      : []),
  ];
}

/** Every complaint, then the counts and the rare faults. */
export function renderMatrix(matrix: Matrix): string {
  const of = (kind: Entry["kind"]) => matrix.entries.filter((entry) => entry.kind === kind);
  const sound = (entries: readonly Entry[]) =>
    entries.filter(({ complaints }) => complaints.length === 0).length;
  const faults = of("fault");
  const crossed = of("fault-in-mix");
  const badPractices = of("bad-practice");
  const variations = of("variation");
  const mixes = of("mix");
  const complaints = complaintsOf(matrix);
  return [
    ...complaints,
    ...(complaints.length > 0 ? [""] : []),
    ...(faults.length > 0 ? [sightOf(faults)] : []),
    ...rareOnes(faults).map(rareLine),
    ...(crossed.length > 0
      ? [`${sound(crossed)} of ${crossed.length} are caught under a mix of variations`]
      : []),
    ...(badPractices.length > 0
      ? [`${sound(badPractices)} of ${badPractices.length} bad practices draw the warnings they name`]
      : []),
    ...(variations.length > 0
      ? [`${sound(variations)} of ${variations.length} variations fail nothing and leave little open`]
      : []),
    ...decidedLines(variations),
    ...(mixes.length > 0 ? [`${sound(mixes)} of ${mixes.length} mixes of variations fail nothing`] : []),
    ...(matrix.uncaught ? [`${matrix.uncaught.length} checks never turn red`] : []),
    `${plural(complaints.length, "complaint")}, seed ${matrix.seed}`,
    "",
  ].join("\n");
}

/** Writes the matrix below `out`; returns its file. */
export function writeMatrix(out: string, matrix: Matrix): string {
  const directory = join(out, "mutants");
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "matrix.json");
  writeFileSync(`${file}.new`, `${JSON.stringify(matrix, null, 2)}\n`);
  renameSync(`${file}.new`, file);
  return file;
}

const KILLS = new URL("../records/kills.txt", import.meta.url);

/** Records which checks each mutant turned red; `complete` if every mutant was tried. */
export function recordKills({ entries }: Matrix, complete: boolean) {
  const tried = entries.filter(({ kind }) => kind !== "baseline");
  const lines = tried.map(({ kind, id, red }) => ({ key: `${kind} ${id}`, found: red.join(" ") || "-" }));
  writeRecord(
    KILLS,
    "The checks that each mutant turns red. Written by npm run mutants -- --record.",
    lines,
    {
      complete,
    },
  );
}
