import { writeArtifacts } from "./artifacts.ts";
import { consoleOptions, renderResult } from "./console/console.ts";
import { CommandError, print, runCommand } from "./text/command.ts";

const USAGE = "usage: npm run report -- <run folder>, for example npm run report -- reports/out/latest";
const ABOUT = "Writes the reports of a run again from its events, and exits with the exit code of that run.";

async function report(args: readonly string[]): Promise<number> {
  const [directory, ...others] = args;
  if (directory === "--help" || directory === "-h") return print(`${USAGE}\n${ABOUT}`);
  if (!directory || others.length > 0 || directory.startsWith("-")) throw new CommandError(2, [USAGE]);
  const file = await writeArtifacts(directory);
  process.stdout.write(renderResult(file, { ...consoleOptions(), directory }));
  return file.exitCode;
}

await runCommand(() => report(process.argv.slice(2)));
