import { Refusal } from "../fixtures/command-line.ts";
import { Laboratory } from "./mutants/laboratory.ts";
import { complaintsOf, type Entry, renderMatrix, writeMatrix } from "./mutants/matrix.ts";
import { mutantUsage, readMutantOptions } from "./mutants/options.ts";
import { selectSpecimens, Trial } from "./mutants/trial.ts";

process.exitCode = await main();

/** Runs `npm run mutants`; returns the exit code, and has printed why. */
async function main(): Promise<number> {
  try {
    const options = readMutantOptions();
    if (options.help) {
      process.stdout.write(`${mutantUsage()}\n`);
      return 0;
    }
    const selection = selectSpecimens(options);
    const laboratory = await Laboratory.open(options.seed);
    try {
      const matrix = await new Trial(options, laboratory, showEntry).run(selection);
      const file = writeMatrix(options.out, matrix);
      process.stdout.write(`${renderMatrix(matrix)}Written to ${file}\n`);
      return complaintsOf(matrix).length > 0 ? 1 : 0;
    } finally {
      await laboratory.close();
    }
  } catch (error) {
    const refused = error instanceof Refusal;
    process.stderr.write(
      `${refused ? error.problems.join("\n") : String(error instanceof Error ? error.stack : error)}\n`,
    );
    return refused ? error.exitCode : 70;
  }
}

/** A line for each sandbox while a person watches; a pipe gets what is wrong, and the summary. */
function showEntry({ kind, id, complaints }: Entry) {
  if (!process.stderr.isTTY && complaints.length === 0) return;
  process.stderr.write(`${complaints.length === 0 ? "ok " : "NOT"} ${kind} ${id}\n`);
}
