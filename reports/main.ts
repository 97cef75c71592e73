import { writeArtifacts } from "./artifacts.ts";
import { comparedOf, differencesOf } from "./certificate/verify.ts";
import { CommandError, print, runCommand } from "./command-line/command.ts";
import { HELP, helpText, readCommandLine } from "./command-line/define-command.ts";
import { renderDifference } from "./compare/difference.ts";
import { consoleOptions, renderResult } from "./console/console.ts";
import { writeAllurePage } from "./formats/allure-page.ts";
import { newestRun, OUT } from "./run-folders.ts";
import { readVerdicts } from "./verdicts/read-verdicts.ts";

const OPTIONS = { help: HELP } as const;

const ABOUT = `Writes the reports of a run again from its events, and exits with the exit code of that run.
Without a folder it takes the newest run of checks below ${OUT}.`;

interface Action {
  /** The folders that it needs, as the usage names them. */
  readonly folders: readonly string[];
  readonly about: string;
  readonly run: (folders: readonly string[]) => number | Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  verify: {
    folders: ["<run folder>"],
    about: "derive outcome, counts, exit code and digests again; exit 1 if anything differs",
    run: ([directory = ""]) => verify(directory),
  },
  allure: {
    folders: ["<run folder>"],
    about: "make Allure's report as one file, allure.html, that can be opened and sent as it is",
    run: async ([directory = ""]) => print(`Written to ${await writeAllurePage(directory)}`),
  },
  diff: {
    folders: ["<run folder>", "<later run folder>"],
    about: "show which verdicts, observations and timings changed; exit 1 if there are new failures",
    run: ([before = "", after = ""]) => diff(before, after),
  },
};

async function report(): Promise<number> {
  const { values, positionals } = readCommandLine("report", OPTIONS, { allowPositionals: true });
  if (values.help) return print(help());
  const [first = "", ...rest] = positionals;
  const action = ACTIONS[first];
  if (!action) {
    const directory = first || newestRun(OUT);
    if (!directory || rest.length > 0) throw new CommandError(2, [usage()]);
    return await writeAgain(directory);
  }
  if (rest.length !== action.folders.length) throw new CommandError(2, [usage(first)]);
  return await action.run(rest);
}

async function writeAgain(directory: string): Promise<number> {
  const file = await writeArtifacts(directory);
  process.stdout.write(renderResult(file, { ...consoleOptions(), directory }));
  return file.exitCode;
}

function verify(directory: string): number {
  const { file, differences } = differencesOf(directory);
  if (differences.length === 0)
    return print(`Verified ${directory}: ${comparedOf(file)} are as the events and the evidence give them.`);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  return 1;
}

function diff(before: string, after: string): number {
  const { text, worse } = renderDifference(readVerdicts(before), readVerdicts(after));
  print(text);
  return worse ? 1 : 0;
}

const callOf = (name: string) => [name, ...(ACTIONS[name]?.folders ?? [])].join(" ");

const usage = (name = "<run folder>") =>
  `usage: npm run report -- ${callOf(name)}, for example npm run report -- ${callOf(name).replaceAll(/<[^>]*run folder>/g, "reports/out/latest")}`;

const help = () =>
  helpText("report -- <run folder>", ABOUT, OPTIONS, {
    "More with": Object.fromEntries(
      Object.keys(ACTIONS).map((name) => [callOf(name), ACTIONS[name]?.about ?? ""]),
    ),
  });

await runCommand(report);
