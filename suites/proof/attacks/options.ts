import { CommandError } from "../../../reports/command-line/command.ts";
import {
  FLAG,
  HELP,
  helpText,
  readCommandLine,
  wholeNumber,
} from "../../../reports/command-line/define-command.ts";
import { glob } from "../../runner/glob.ts";
import type { Attack } from "./attack.ts";

const OPTIONS = {
  select: {
    type: "string",
    short: "s",
    multiple: true,
    about: "only these attacks: names or patterns like 'bomb/*', separated by commas",
  },
  list: { ...FLAG, about: "list the attacks; runs nothing" },
  record: { ...FLAG, about: "write exit codes and outcomes to suites/proof/records/attacks.txt" },
  jobs: { type: "string", about: "so many attacks at the same time (default 2)" },
  help: HELP,
} as const;

/** Reads the command line; throws a {@link CommandError} (2). */
export function readAttackOptions() {
  const { values } = readCommandLine("attacks", OPTIONS, { unnamed: "select" });
  return { ...values, jobs: wholeNumber("jobs", values.jobs) ?? 2 };
}

/** The attacks that any of the patterns names, and all without a pattern; throws a {@link CommandError} (2) if there are none. */
export function selectAttacks(all: readonly Attack[], patterns: readonly string[] = []): readonly Attack[] {
  if (patterns.length === 0) return all;
  const wanted = patterns.flatMap((list) => list.split(",")).map(glob);
  const selected = all.filter(({ name }) => wanted.some((matches) => matches(name)));
  if (selected.length > 0) return selected;
  throw new CommandError(2, [`--select ${patterns.join(" ")}: no attack has such a name; --list shows all`]);
}

/** The help text. */
export const attackUsage = () =>
  helpText(
    "attacks -- [options]",
    "Lets hostile deployments, files and settings attack certify, gate and load, and says whether they hold.",
    OPTIONS,
    { "Exit codes": { 0: "all attacks held off", 1: "one was not", 2: "usage error" } },
  );
