import { writeArtifacts } from "./artifacts.ts";
import { consoleOptions, renderResult } from "./console/console.ts";
import { readEvents } from "./events/events.ts";
import { UnusableFile } from "./text/unusable-file.ts";
import { buildVerdicts } from "./verdicts/verdicts.ts";

const USAGE = "usage: npm run report -- <run folder>, for example npm run report -- reports/out/latest";
const ABOUT = "Writes the reports of a run again from its events, and exits with the exit code of that run.";

/** Writes the reports of a run again from its events, and returns the exit code of that run. */
async function report(args: readonly string[]): Promise<number> {
  const [directory, ...others] = args;
  if (directory === "--help" || directory === "-h") {
    process.stdout.write(`${USAGE}\n${ABOUT}\n`);
    return 0;
  }
  if (!directory || others.length > 0 || directory.startsWith("-")) throw new UnusableFile(USAGE);
  const file = await writeArtifacts(directory, buildVerdicts(readEvents(directory)));
  process.stdout.write(renderResult(file, { ...consoleOptions(), directory }));
  return file.exitCode;
}

try {
  process.exitCode = await report(process.argv.slice(2));
} catch (error) {
  // A folder that cannot be read is the caller's mistake; anything else that stops a report is ours.
  process.exitCode = error instanceof UnusableFile ? 2 : 70;
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
}
