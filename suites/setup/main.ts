import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { setUp } from "./setup.ts";
import { Terminal } from "./terminal.ts";

/** Asks for what a run needs and writes it to the env file. */
export const setup: Command = defineCommand({
  name: "setup",
  about: `Asks for all that a complete run needs, by subject, and says how many checks a skipped question leaves untested. Writes
the answers to .env and checks the key with one read. Needs a terminal. What .env sets already is not asked again.`,
  options: {},
  run: async ({ env }) => {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new CommandError(2, [
        "npm run setup asks questions and needs a terminal: copy .env.example to .env and fill it in instead",
      ]);
    }
    const terminal = new Terminal();
    try {
      return await setUp(terminal, env);
    } finally {
      terminal.close();
    }
  },
});
