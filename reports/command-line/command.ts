import { printable } from "../wording.ts";
import { stopWithParent } from "./parent.ts";

/** Stops a command before it does anything: each problem on one line, and the exit code. */
export class CommandError extends Error {
  readonly problems: readonly string[];
  /** 2: wrong usage, configuration or file; 3: the preflight failed, or the run is not allowed; 5: a bad waiver. */
  readonly exitCode: 2 | 3 | 5;

  constructor(exitCode: 2 | 3 | 5, problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "CommandError";
    this.exitCode = exitCode;
    this.problems = problems;
  }
}

/**
 * Runs a command and sets the exit code that it returns. An error is printed as one line for each problem, and the code
 * is 70 for an error that is a defect of this suite. A reader that closes the pipe early, as `head` does, changes nothing.
 */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  stopWithParent();
  try {
    process.exitCode = await command();
  } catch (error) {
    process.exitCode = error instanceof CommandError ? error.exitCode : 70;
    printProblems(error);
  }
}

/** Prints why a command does not go on, each problem on one line. */
export function printProblems(error: unknown) {
  for (const problem of problemsOf(error)) process.stderr.write(`${printable(problem)}\n`);
}

/** Prints `text` as the whole output of a command; returns exit code 0. */
export function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function problemsOf(error: unknown): string[] {
  if (error instanceof CommandError) return error.problems.map((problem) => problem.split("\n")[0] ?? "");
  const { stack = "" } = error as Error;
  const [message, where = "no stack"] = stack.split("\n");
  return [`defect of this suite: ${message || error} (${where.trim()})`];
}

function ignoreClosedPipe(error: NodeJS.ErrnoException) {
  if (error.code !== "EPIPE") throw error;
}
