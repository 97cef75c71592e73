import { CommandError, print, runCommand } from "../../reports/command-line/command.ts";
import { HELP, helpText, readCommandLine } from "../../reports/command-line/define-command.ts";
import { setUp } from "./setup.ts";
import { Terminal } from "./terminal.ts";

const OPTIONS = { help: HELP } as const;

const ABOUT = `Asks for all that a complete run needs, by subject, and says how many checks a skipped question leaves untested. Writes
the answers to .env and checks the key with one read. Needs a terminal. What .env sets already is not asked again.`;

await runCommand(setup);

/** Runs `npm run setup`. */
async function setup(): Promise<number> {
  const { values } = readCommandLine("setup", OPTIONS);
  if (values.help) return print(helpText("setup", ABOUT, OPTIONS, {}));
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new CommandError(2, [
      "npm run setup asks questions and needs a terminal: copy .env.example to .env and fill it in instead",
    ]);
  }
  const terminal = new Terminal();
  try {
    return await setUp(terminal);
  } finally {
    terminal.close();
  }
}
