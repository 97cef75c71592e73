import { writeArtifacts } from "./artifacts.ts";
import { consoleOptions, renderResult } from "./console/console.ts";
import { CommandError, print, runCommand } from "./text/command.ts";
import { HELP, helpText, readCommandLine } from "./text/command-line.ts";

const USAGE = "usage: npm run report -- <run folder>, for example npm run report -- reports/out/latest";
const ABOUT = "Writes the reports of a run again from its events, and exits with the exit code of that run.";

const OPTIONS = { help: HELP } as const;

async function report(): Promise<number> {
  const { values, positionals } = readCommandLine("report", OPTIONS, { allowPositionals: true });
  if (values.help) return print(helpText("report -- <run folder>", ABOUT, OPTIONS, {}));
  const [directory, ...others] = positionals;
  if (!directory || others.length > 0) throw new CommandError(2, [USAGE]);
  const file = await writeArtifacts(directory);
  process.stdout.write(renderResult(file, { ...consoleOptions(), directory }));
  return file.exitCode;
}

await runCommand(report);
