import { onStopSignal } from "../../../fixtures/engine/config/signals.ts";
import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import { ONCE_BLAMED, variations } from "../../../fixtures/mutants/variations/variations.ts";
import type { Command, Output } from "../../../reports/command-line/command.ts";
import { defineCommand, FLAG, wholeNumber } from "../../../reports/command-line/define-command.ts";
import { similarName } from "../../../reports/command-line/similar.ts";
import { plural } from "../../../reports/wording.ts";
import { matching } from "../../runner/checklist.ts";
import { oneForEachFile, tryMutants } from "./campaign.ts";
import { type Entry, recordKills } from "./kills.ts";

/** Most of a run is waiting, so workers overlap. */
const WORKERS = 4;

/** The variations of which a summary shows how much a run decides. */
const MOST_SHOWN = 40;

/** Runs the checks against mutants of the sandbox; prints what differs from the record. */
export const mutants: Command = defineCommand({
  name: "mutants",
  about: `Runs the checks against sandboxes with one fault each, which must turn red the checks on record and no other;
and against conformant variations of the sandbox, which must not fail any check.`,
  options: {
    fault: {
      type: "string",
      about: "only these faults: ids or patterns like 'transfers-*', separated by commas",
    },
    variation: {
      type: "string",
      about:
        "only these variations, one by one: ids or patterns like 'layout-*', separated by commas ('*': in packs; 'once-blamed': those that a strict reading would fail)",
    },
    sample: { ...FLAG, about: "only one fault for each file of checks" },
    full: {
      ...FLAG,
      about: "every check that sends requests to the operation of a fault, and each variation alone",
    },
    record: {
      ...FLAG,
      about:
        "the same as --full, and write which checks each mutant turns red to suites/proof/records/kills.txt",
    },
    seed: { type: "string", about: "seed of the data, the packs and the drawn checks (default 1)" },
  },
  tables: {
    "Exit codes": { 0: "no complaint", 1: "complaints", 2: "usage error", 70: "defect of the command" },
  },
  run: async ({ values, stdout, stderr }) => {
    const seed = wholeNumber("seed", values.seed) ?? 1;
    const full = values.full || values.record;
    const { fault, variation, sample } = values;
    const isEverything = fault === undefined && variation === undefined && !sample;
    const blamed = Object.values(ONCE_BLAMED).flat().join();
    const chosen = {
      faults: sample ? oneForEachFile(faults) : named("fault", faults, fault),
      variations: named("variation", variations, variation?.replace("once-blamed", blamed)),
    };
    // A folder in memory is removed when the process exits, which a signal alone does not make it do.
    const ignoreSignals = onStopSignal(exit, exit);
    const options = { seed, full, workers: sample ? 1 : WORKERS, onEntry: showingOn(stderr) };
    const entries = await tryMutants(isEverything ? { faults, variations } : chosen, options);
    ignoreSignals();
    if (values.record) recordKills(entries, isEverything);
    stdout.write(render(entries, seed));
    return entries.some(({ complaints }) => complaints.length > 0) ? 1 : 0;
  },
});

/** The mutants whose ids match. */
function named<T extends { readonly id: string }>(option: string, all: readonly T[], pattern?: string): T[] {
  if (pattern === undefined) return [];
  const ids = all.map(({ id }) => id);
  const example = similarName(pattern, ids) ?? ids[0];
  const problem = `matches none of the ${ids.length} ids: give an id or a pattern, such as ${example}`;
  return matching(option, all, ({ id }) => [id], [pattern], problem);
}

const exit = () => process.exit(130);

/** Prints a line for each mutant on a terminal; a pipe only gets complaints and the summary. */
const showingOn =
  (stderr: Output) =>
  ({ kind, id, complaints }: Entry) => {
    if (stderr.isTTY || complaints.length > 0)
      stderr.write(`${complaints.length === 0 ? "ok " : "NOT"} ${kind} ${id}\n`);
  };

/** Every complaint, then the counts. */
function render(entries: readonly Entry[], seed: number): string {
  const complaints = entries.flatMap(({ kind, id, complaints }) =>
    complaints.map((text) => `${kind} ${id}: ${text}`),
  );
  const counted = (["fault", "variation", "pack"] as const).flatMap((kind) => {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    const sound = ofKind.filter((entry) => entry.complaints.length === 0).length;
    const result = kind === "fault" ? "are caught as the record says" : "fail nothing and leave little open";
    return ofKind.length > 0 ? [`${sound} of ${ofKind.length} ${kind}s ${result}`] : [];
  });
  return [
    ...complaints,
    ...(complaints.length > 0 ? [""] : []),
    ...counted,
    ...decidedLines(entries.filter(({ kind }) => kind === "variation")),
    `${plural(complaints.length, "complaint")}, seed ${seed}`,
    "",
  ].join("\n");
}

/** How much a run decides about the variations, the least first; a pack is no single deployment. */
function decidedLines(entries: readonly Entry[]): string[] {
  const sorted = entries
    .map(({ id, decided = 100 }) => ({ id, decided }))
    .toSorted((a, b) => a.decided - b.decided || (a.id < b.id ? -1 : 1));
  const lines = sorted.map(({ id, decided }) => `  ${decided.toFixed(1).padStart(5)} % of ${id}`);
  return lines.length > 0 ? ["MUST checks that a run decides:", ...lines.slice(0, MOST_SHOWN)] : [];
}
