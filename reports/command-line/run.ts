import { setImmediate } from "node:timers/promises";
import { type Command, isAlive, isClosedPipe } from "./command.ts";
import { printProblems } from "./define-command.ts";

/** The commands by name; the code of a command is loaded when it runs. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

const PARENT_CHECKED_EVERY_MS = 500;

/**
 * Runs the command that the command line of this process names; returns its exit code. A crash, and output that is lost,
 * never end with the exit code of a verdict.
 */
export async function runProcess(commands: Commands): Promise<number> {
  const { stdout, stderr } = process;
  let lost: unknown;
  stdout.on("error", (errored) => {
    if (!isClosedPipe(errored)) lost ??= errored;
  });
  stderr.on("error", () => {});
  stopWithParent();
  const exitCode = await runNamed(commands);
  // What is written to a pipe fails later.
  await setImmediate();
  return lost ? explainCrash(lost) : exitCode;
}

/** Says why the process ends before its command does; returns the exit code. */
export const explainCrash = (error: unknown): number => printProblems(error, process.stderr);

async function runNamed(commands: Commands): Promise<number> {
  const { env, stdout, stderr } = process;
  const [name = "", ...argv] = process.argv.slice(2);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return await (await load())({ argv, env, stdout, stderr });
  const usage = `Usage: ./conformance <command> [options], or npm run <command> -- [options]
Commands, each with its own --help: ${Object.keys(commands).join(", ")}
`;
  const isHelp = name === "--help" || name === "-h";
  (isHelp ? stdout : stderr).write(isHelp || name === "" ? usage : `unknown command ${name}\n${usage}`);
  return isHelp ? 0 : 2;
}

/**
 * Stops this process, as SIGTERM would, when the shell dies that npm started it in. A signal that ends npm reaches only
 * that shell, and the run would go on, and no one could stop it.
 */
function stopWithParent(): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(143);
  }, PARENT_CHECKED_EVERY_MS);
  timer.unref();
}
