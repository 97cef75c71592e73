import { CommandError, readCommandLine, wholeNumber } from "../../fixtures/config/command-line.ts";

const OPTIONS = {
  fault: { type: "string", about: "only these faults: an id, or a pattern like 'transfers-*'" },
  "bad-practice": {
    type: "string",
    about: "only these badPractices: an id, or a pattern; each meets the checks that it names, and no others",
  },
  variation: {
    type: "string",
    about: "only these variations, one by one: an id, or a pattern like 'layout-*' ('*': many at once)",
  },
  full: {
    type: "boolean",
    about: "every check against every fault, each variation alone, 50 mixes, faults under five of them",
  },
  mixes: { type: "string", about: "how many mixes of variations are drawn (10; 50 with --full)" },
  crossed: {
    type: "string",
    about:
      "under how many of these mixes a fault is tried that one might hide (0; 5 with --full); one of pages then meets every layout, too",
  },
  shard: { type: "string", about: "only a part of all that, as 1/2 and 2/2 in two processes" },
  seed: { type: "string", about: "seed of the data, of the drawn mixes and of the drawn checks (1)" },
  out: { type: "string", about: "folder of the matrix (reports/out)" },
  help: { type: "boolean", about: "print this" },
} as const;

/** The `part`th of `parts`, counted from 1. */
export interface Shard {
  readonly part: number;
  readonly parts: number;
}

/** The options of `npm run mutants`, parsed. */
export interface MutantOptions {
  /** Patterns of what is wanted; where any is given, what the others would select is left out. */
  readonly fault: string | undefined;
  readonly badPractice: string | undefined;
  readonly variation: string | undefined;
  readonly full: boolean;
  readonly mixes: number;
  /** Mixes under which a fault is tried that a variation might hide. */
  readonly crossed: number;
  /** The variations many at once, in as few runs as their conflicts allow. */
  readonly packed: boolean;
  readonly shard: Shard;
  readonly seed: number;
  readonly out: string;
  readonly help: boolean;
}

/** Reads the command line; throws a {@link CommandError} (2). */
export function readMutantOptions(): MutantOptions {
  const { values } = readCommandLine("mutants", OPTIONS);
  const full = values.full ?? false;
  const narrowed = [values.fault, values["bad-practice"], values.variation].some(
    (pattern) => pattern !== undefined,
  );
  return {
    fault: values.fault,
    badPractice: values["bad-practice"],
    variation: values.variation,
    full,
    mixes: wholeNumber("mixes", values.mixes) ?? (narrowed ? 0 : full ? 50 : 10),
    crossed: wholeNumber("crossed", values.crossed) ?? (full ? 5 : 0),
    packed: !full && (values.variation ?? "*") === "*",
    shard: shard(values.shard),
    seed: wholeNumber("seed", values.seed) ?? 1,
    out: values.out ?? "reports/out",
    help: values.help ?? false,
  };
}

function shard(value: string | undefined): Shard {
  const [, part = "1", parts = "1"] = /^(\d)\/(\d)$/.exec(value ?? "1/1") ?? [undefined, "0"];
  if (part === "0" || Number(part) > Number(parts))
    throw new CommandError(2, [`--shard ${value}: must be like 1/2, the first of two parts`]);
  return { part: Number(part), parts: Number(parts) };
}

/** The help text. */
export function mutantUsage(): string {
  const options = Object.entries(OPTIONS).map(
    ([name, { type, about }]) => `  ${`--${name}${type === "string" ? " <value>" : ""}`.padEnd(24)}${about}`,
  );
  return [
    "npm run mutants -- [options]",
    "Runs the checks against sandboxes with one fault each, which must turn red what the fault names; against others",
    "that neglect one good practice everywhere, of which the checks must warn; and against conformant variations of",
    "the sandbox, which must fail nothing.",
    "",
    ...options,
    "",
    "Exit codes: 0 all is as it must be, 1 a complaint is printed, 2 usage, 70 the command itself broke.",
  ].join("\n");
}
