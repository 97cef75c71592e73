import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { type Dialogue, setUp } from "./setup.ts";

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
    const terminal = openTerminal();
    try {
      return await setUp(terminal, env);
    } finally {
      terminal.close();
    }
  },
});

/** Asks line by line, and hides the typing of secrets. */
function openTerminal(): Dialogue & { close(): void } {
  let isHidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const end = once(lines, "close").then(() => undefined);
  return {
    ask: async (question, secret) => {
      process.stdout.write(question);
      isHidden = secret;
      const line = once(lines, "line").then(([text]) => text as string);
      const answer = await Promise.race([line, end]);
      if (isHidden) process.stdout.write("\n");
      isHidden = false;
      return answer;
    },
    say: (text) => process.stdout.write(text),
    close: () => lines.close(),
  };
}
