import { print, runCommand } from "../../reports/text/command.ts";
import { Campaign } from "./campaign.ts";
import { complaintsOf, type Entry, renderMatrix, writeMatrix } from "./matrix.ts";
import { mutantUsage, readMutantOptions } from "./options.ts";
import { MutantRunner } from "./runner.ts";
import { selectMutants } from "./selection.ts";

await runCommand(mutants);

/** Runs `npm run mutants`; prints the result and returns the exit code. */
async function mutants(): Promise<number> {
  const options = readMutantOptions();
  if (options.help) return print(mutantUsage());
  const selection = selectMutants(options);
  const runners = await openRunners(options.seed);
  try {
    const matrix = await new Campaign(options, runners, showEntry).run(selection);
    const file = writeMatrix(options.out, matrix);
    process.stdout.write(`${renderMatrix(matrix)}Written to ${file}\n`);
    return complaintsOf(matrix).length > 0 ? 1 : 0;
  } finally {
    await Promise.all(runners.map((runner) => runner.close()));
  }
}

/** A second worker uses the time in which the first one waits; a third one would wait for the sandboxes, which share a thread. */
async function openRunners(seed: number) {
  return Promise.all([MutantRunner.open(seed), MutantRunner.open(seed)] as const);
}

/** Prints a line for each mutant on a terminal; a pipe only gets complaints and the summary. */
function showEntry({ kind, id, complaints }: Entry) {
  if (!process.stderr.isTTY && complaints.length === 0) return;
  process.stderr.write(`${complaints.length === 0 ? "ok " : "NOT"} ${kind} ${id}\n`);
}
