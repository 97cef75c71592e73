import { print, runCommand } from "../../reports/text/command.ts";
import { Campaign } from "./campaign.ts";
import { complaintsOf, type Entry, recordKills, renderMatrix, writeMatrix } from "./matrix.ts";
import { mutantUsage, readMutantOptions } from "./options.ts";
import { RunnerPool } from "./runner.ts";
import { EVERYTHING, selectMutants } from "./selection.ts";

/** Most of a run is waiting, so runners overlap; the processes of a campaign in parts share the cores. */
const RUNNERS = { whole: 4, part: 2 };

await runCommand(mutants);

/** Runs `npm run mutants`; prints the result and returns the exit code. */
async function mutants(): Promise<number> {
  const options = readMutantOptions();
  if (options.help) return print(mutantUsage());
  const selection = selectMutants(options);
  const size = options.shard.parts > 1 ? RUNNERS.part : RUNNERS.whole;
  const runners = await RunnerPool.open(size, options.seed);
  try {
    const matrix = await new Campaign(options, runners, showEntry).run(selection);
    if (options.record) recordKills(matrix, selection === EVERYTHING && options.shard.parts === 1);
    const file = writeMatrix(options.out, matrix);
    process.stdout.write(`${renderMatrix(matrix)}Written to ${file}\n`);
    return complaintsOf(matrix).length > 0 ? 1 : 0;
  } finally {
    await runners.close();
  }
}

/** Prints a line for each mutant on a terminal; a pipe only gets complaints and the summary. */
function showEntry({ kind, id, complaints }: Entry) {
  if (!process.stderr.isTTY && complaints.length === 0) return;
  process.stderr.write(`${complaints.length === 0 ? "ok " : "NOT"} ${kind} ${id}\n`);
}
