import { randomInt } from "node:crypto";
import { CommandError } from "../../reports/command-line/command.ts";
import { FLAG, type Given, wholeNumber } from "../../reports/command-line/define-command.ts";
import type { Baseline } from "../../reports/verdicts/baseline.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";
import { readBaseline } from "../../reports/verdicts/run.ts";

/** The options of `certify` and `gate`. */
export const OPTIONS = {
  out: { type: "string", default: "reports/out", about: "folder for the runs (default reports/out)" },
  select: {
    type: "string",
    short: "s",
    multiple: true,
    about: "run only these checks: an operation, a check, or a pattern like 'createTransfer/*'",
  },
  list: { ...FLAG, about: "list the checks; sends nothing" },
  "dry-run": { ...FLAG, about: "show what would be sent and what the configuration lacks; sends nothing" },
  seed: { type: "string", about: "seed of the generated data, a whole number (default: random)" },
  strict: { ...FLAG, about: "gate: exit with 4 for every MUST check that is not decided" },
  hardened: { ...FLAG, about: "treat critical warnings as failures" },
  "probe-writes": { ...FLAG, about: "also send probes that may leave further records behind" },
  "max-minutes": { type: "string", about: "start no more checks after this many minutes" },
  baseline: {
    type: "string",
    about: "gate: fail only for what is worse than in this verdicts.json of an earlier run",
  },
  sandbox: { ...FLAG, about: "test the embedded sandbox" },
} as const;

/** What the exit codes of `certify` and `gate` mean. */
export const EXIT_CODES = {
  0: "conformant",
  1: "not conformant",
  2: "usage or configuration error",
  3: "preflight failed or run refused",
  4: "not fully verified",
  5: "stale waiver",
  70: "defect of this suite",
  130: "interrupted",
};

/** The options of `certify` and `gate`, parsed. */
export type Options = ReturnType<typeof optionsOf>;

/** Parses the values of the options; throws a {@link CommandError} (2). */
export function optionsOf(command: Command, { values }: Given<typeof OPTIONS>) {
  return {
    ...values,
    select: values.select ?? [],
    dryRun: values["dry-run"],
    probeWrites: values["probe-writes"],
    seed: wholeNumber("seed", values.seed) ?? randomInt(1_000_000),
    maxMinutes: minutes(values["max-minutes"]),
    baseline: baselineOf(command, values.baseline),
  };
}

/** The earlier run to compare with, read before anything is sent. */
function baselineOf(command: Command, path: string | undefined): Baseline | undefined {
  if (path === undefined) return undefined;
  if (command === "gate") return readBaseline(path);
  throw new CommandError(2, [
    `--baseline belongs to gate, because a certificate accepts no known failure: npm run gate -- --baseline ${path}`,
  ]);
}

/** A day; a timer counts no more than 24 of them. */
const MOST_MINUTES = 1440;

function minutes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!(Number(value) > 0 && Number(value) <= MOST_MINUTES))
    throw new CommandError(2, [
      `--max-minutes ${value}: must be a number greater than 0, and at most ${MOST_MINUTES}`,
    ]);
  return Number(value);
}
