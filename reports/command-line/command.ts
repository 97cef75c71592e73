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

/** Exit code of a defect of this suite, and of a run that could not reach its end. It is never that of a verdict. */
export const BROKEN = 70;

/** What this machine lacks, by the code of the error, and what its operator can do. */
const MACHINE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: make room",
  EDQUOT: "the quota of the disk is used up: make room",
  EROFS: "the file system is read-only: choose another folder",
  EACCES: "a permission is missing: correct it, or choose another folder",
  EMFILE: "this process has too many files open: raise the limit of this shell with ulimit -n 4096",
  ENFILE: "this machine has too many files open: end other programs",
  ENOMEM: "this machine has too little memory: end other programs",
  ENOBUFS: "this machine has too little memory for another connection: end other programs",
  EADDRNOTAVAIL:
    "this machine has no free port for another connection: end programs that open many, or wait a minute",
  ENETUNREACH: "this machine has no route there: check its network connection",
  ENETDOWN: "the network of this machine is down: check its connection",
  ERR_MODULE_NOT_FOUND: "a package of this suite is missing: run npm ci",
};

let whatRemains: () => readonly string[] = () => [];

/** Sets what to say after a crash, once something was sent: what was paid, and how to get the reports. */
export function sayAfterCrash(lines: () => readonly string[]) {
  whatRemains = lines;
}

/** What its operator can do about an error of this machine; `undefined` for any other error. */
export function adviceOn(error: unknown): string | undefined {
  const code = codeOf(error);
  return Object.hasOwn(MACHINE, code) ? MACHINE[code] : undefined;
}

/** Says on one line why a command cannot go on. */
export function lineOf(error: unknown): string {
  const [message, where = "no stack"] = `${(error as Error).stack ?? error}`.split("\n");
  const advice = adviceOn(error);
  if (advice) return `${advice} (${(error as Error).message})`;
  return `defect of this suite: ${message || error} (${where.trim()})`;
}

/** The lines about an error that ends a command, and its exit code. */
export function ending(error: unknown): { readonly exitCode: number; readonly lines: readonly string[] } {
  if (error instanceof CommandError) return { exitCode: error.exitCode, lines: error.problems };
  const remains = whatRemains();
  return {
    exitCode: adviceOn(error) && remains.length === 0 ? 2 : BROKEN,
    lines: [lineOf(error), ...remains],
  };
}

/** Whether printing failed because a reader wants no more, as `head` does: that changes nothing. */
export const isClosedPipe = (error: unknown): boolean => codeOf(error) === "EPIPE";

const codeOf = (error: unknown): string => {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (typeof code === "string") return code;
  return WITHOUT_BINARY.test(String(message)) ? "ERR_MODULE_NOT_FOUND" : "";
};

/** esbuild without the optional package for this platform, or with that of another one, has no code for it. */
const WITHOUT_BINARY = /needed by esbuild|installed esbuild for another platform/;

/** Whether a process runs. On Windows, a process keeps the id of a parent that has ended. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The known name that `name` is probably a misspelling of; `undefined` if none is close. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const typed = new Set(variants(name));
  // A short name resembles too many others.
  return known.find((other) => other.length > 3 && variants(other).some((variant) => typed.has(variant)));
}

/** A name, and what is left of it without one of its letters, or with two neighbours swapped. */
const variants = (name: string): string[] => [
  name,
  ...[...name].flatMap((letter, place) => {
    const [before, after] = [name.slice(0, place), name.slice(place + 1)];
    return [before + after, before + after.charAt(0) + letter + after.slice(1)];
  }),
];

/** Says that a name is unknown, which one may be meant, and which ones there are. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = similarName(given, known);
  const allowed = known.length > 0 ? `expected one of ${known.join(", ")}` : "there is none";
  return `unknown ${what}: ${given}${meant ? ` (did you mean ${meant}?)` : ""}; ${allowed}`;
}
