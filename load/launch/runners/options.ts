import { CommandError } from "../../../reports/command-line/command.ts";
import { wholeNumber } from "../../../reports/command-line/define-command.ts";
import { MAX_RUNNERS } from "../../runs/run-file.ts";

/** A prepared run whose runners have ended, and the files with their logs. */
export interface Merge {
  readonly directory: string;
  readonly logs: readonly string[];
}

const EXAMPLE = "for example: npm run load -- prepare transfers --profile average --runners 4";

/** Reads the arguments of `merge`; throws a {@link CommandError} (2) without a folder. */
export function mergeFrom([directory, ...logs]: readonly string[]): Merge {
  if (directory !== undefined) return { directory, logs };
  throw new CommandError(2, [
    "merge needs the folder of a prepared run and the logs of its runners: npm run load -- merge <run folder> <log>...",
  ]);
}

/** Reads `--runners` of `prepare`; throws a {@link CommandError} (2) for a number that no run can have. */
export function runnersFrom(given: string | undefined): number {
  const runners = wholeNumber("runners", given) ?? 1;
  if (runners >= 1 && runners <= MAX_RUNNERS) return runners;
  throw new CommandError(2, [`--runners ${runners}: must be from 1 to ${MAX_RUNNERS}; ${EXAMPLE}`]);
}

/** Throws a {@link CommandError} (2) if `--runners` is given for a load that this machine sends alone. */
export function refuseRunners(given: string | undefined): void {
  if (given === undefined) return;
  throw new CommandError(2, [`--runners belongs to prepare, before the workload; ${EXAMPLE}`]);
}
