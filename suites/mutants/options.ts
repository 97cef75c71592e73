import { CommandError } from "../../reports/text/command.ts";
import { FLAG, HELP, helpText, readCommandLine, wholeNumber } from "../../reports/text/command-line.ts";

const OPTIONS = {
  fault: {
    type: "string",
    about: "only these faults: ids or patterns like 'transfers-*', separated by commas",
  },
  "bad-practice": {
    type: "string",
    about: "only these bad practices: an id or a pattern; each meets only the checks that it names",
  },
  variation: {
    type: "string",
    about:
      "only these variations, one by one: ids or patterns like 'layout-*', separated by commas ('*': in packs; 'once-blamed': those that a strict reading would fail)",
  },
  full: {
    ...FLAG,
    about:
      "every check that sends requests to the operation of a fault, each variation in three packs, 50 mixes, faults under three of them",
  },
  record: {
    ...FLAG,
    about:
      "write which checks each mutant turns red to suites/records/kills.txt: every check that sends requests to the operation of a fault, and each variation alone",
  },
  mixes: { type: "string", about: "number of drawn mixes of variations (default 10; 50 with --full)" },
  crossed: {
    type: "string",
    about:
      "number of mixes under which a fault is tried if a mix might hide it or its condition (default 0; 3 with --full); faults of pages then also meet every layout",
  },
  shard: { type: "string", about: "only a part of the campaign: 1/2 and 2/2 in two processes" },
  seed: { type: "string", about: "seed of the data, the drawn mixes and the drawn checks (default 1)" },
  out: { type: "string", default: "reports/out", about: "folder of the matrix (default reports/out)" },
  help: HELP,
} as const;

/** The options of `npm run mutants`, parsed. */
export type MutantOptions = ReturnType<typeof readMutantOptions>;

/** Reads the command line; throws a {@link CommandError} (2). */
export function readMutantOptions() {
  const { values } = readCommandLine("mutants", OPTIONS);
  const { record, fault, variation, "bad-practice": badPractice } = values;
  const full = values.full || record;
  const narrowed = [fault, badPractice, variation].some((pattern) => pattern !== undefined);
  return {
    ...values,
    full,
    badPractice,
    mixes: wholeNumber("mixes", values.mixes) ?? (narrowed || record ? 0 : full ? 50 : 10),
    /** Mixes under which a fault is tried if a variation might hide it. */
    crossed: wholeNumber("crossed", values.crossed) ?? (full && !record ? 3 : 0),
    /** How often all variations are tried, several at once in as few runs as their conflicts allow; 0: each alone. */
    packings: (variation ?? "*") === "*" && !record ? (full ? 3 : 1) : 0,
    shard: shard(values.shard),
    seed: wholeNumber("seed", values.seed) ?? 1,
  };
}

/** The `part`th of `parts`, counted from 1. */
function shard(value: string | undefined) {
  const [, part = "1", parts = "1"] = /^(\d)\/(\d)$/.exec(value ?? "1/1") ?? [undefined, "0"];
  if (part === "0" || Number(part) > Number(parts))
    throw new CommandError(2, [`--shard ${value}: must be like 1/2, the first of two parts`]);
  return { part: Number(part), parts: Number(parts) };
}

const ABOUT = `Runs the checks against sandboxes with one fault each, which the checks that the fault names must catch;
against sandboxes with one bad practice each, which the checks must warn about; and against conformant
variations of the sandbox, which must not fail any check.`;

const EXIT_CODES = { 0: "no complaint", 1: "complaints", 2: "usage error", 70: "defect of the command" };

/** The help text. */
export const mutantUsage = () =>
  helpText("mutants -- [options]", ABOUT, OPTIONS, { "Exit codes": EXIT_CODES });
