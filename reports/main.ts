import { writeArtifacts } from "./artifacts.ts";
import { consoleOptions, renderResult } from "./console/console.ts";
import { readEvents } from "./events/events.ts";
import { UnusableFile } from "./text/unusable-file.ts";
import { buildVerdicts } from "./verdicts/verdicts.ts";

const USAGE = "usage: npm run report -- <run folder>   (for example reports/out/latest)";

/** Makes the reports of a run again from its events, and ends with the exit code of that run. */
async function report(args: readonly string[]): Promise<number> {
  const [directory, ...others] = args;
  if (directory === "--help" || directory === "-h") {
    process.stdout.write(`${USAGE}\n`);
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
  // An unreadable folder is the caller's mistake; whatever else stops a report is ours.
  process.exitCode = error instanceof UnusableFile ? 2 : 70;
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
}
