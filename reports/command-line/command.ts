/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a command prints. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Why nothing more can be printed. */
  readonly errored?: Error | null;
  write(text: string): unknown;
}

/** Everything that a command takes from the process around it. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Runs to its end and returns the exit code; prints its errors. */
export type Command = (invocation: Invocation) => Promise<number>;

/** Stops a command before it does anything: each problem on one line, and the exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /** 2: wrong usage, configuration or file; 3: the preflight failed, or the run is not allowed; 5: a bad waiver. */
  constructor(
    readonly exitCode: 2 | 3 | 5,
    readonly problems: readonly string[],
  ) {
    super(problems.join("\n"));
  }
}
