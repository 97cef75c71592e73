import { type ParseArgsConfig, parseArgs } from "node:util";
import { CommandError } from "./command.ts";
import { holdsLiveKey, liveKeyIn } from "./live-keys.ts";
import { similarName } from "./similar.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** How a command's line is read. */
interface Reading {
  /** The index of our first argument; a script for two commands has the command's name before it. */
  readonly from?: number;
  readonly allowPositionals?: boolean;
  /** The option that an argument without a name probably belongs to. */
  readonly unnamed?: string;
}

/**
 * Parses the command line of `npm run <script> -- ...`.
 * Throws a {@link CommandError}: 3 for a live key, which no message repeats; 2 for an unknown option, and for an option
 * that npm took because `--` is missing.
 */
export function readCommandLine<const O extends Options>(
  script: string,
  options: O,
  { from = 2, allowPositionals = false, unnamed }: Reading = {},
) {
  const args = process.argv.slice(from);
  if (args.some(holdsLiveKey)) throw new CommandError(3, [liveKeyIn(["the command line"])]);
  refuseKept(script, options);
  if (unnamed) refuseUnnamed(script, options, args, unnamed);
  refuseRepeated(options, args);
  try {
    return parseArgs({ args, options, allowPositionals, strict: true });
  } catch (error) {
    const problem =
      error instanceof Error ? (error.message.split(/[.\n]/, 1)[0] ?? error.message) : String(error);
    const known = Object.keys(options);
    const [, typed = ""] = /^Unknown option '--([^']+)'/.exec(problem) ?? [];
    const meant = similarName(typed, known);
    throw new CommandError(2, [
      `${problem}${meant ? `: did you mean --${meant}?` : "."} npm run ${script} accepts ${known.map((name) => `--${name}`).join(", ")}`,
    ]);
  }
}

/** An option without a value. */
export const FLAG = { type: "boolean", default: false } as const;

export const HELP = { ...FLAG, short: "h", about: "show this help" } as const;
export const VERSION = { ...FLAG, about: "show the version" } as const;

/** Names with what each of them means. */
type Table = Readonly<Record<string, string>>;

interface Described {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly about: string;
}

/** Renders the help of a command: how to call it, what it does, its options, and further tables by their titles. */
export function helpText(
  call: string,
  about: string,
  options: Readonly<Record<string, Described>>,
  tables: Readonly<Record<string, Table>>,
): string {
  const listed = Object.entries(options).map(([name, { type, short, about }]) => [
    `${short ? `-${short}, ` : ""}--${name}${type === "string" ? " <value>" : ""}`,
    about,
  ]);
  const sections: Readonly<Record<string, Table>> = { Options: Object.fromEntries(listed), ...tables };
  const lines = Object.entries(sections).flatMap(([title, table]) => [
    "",
    `${title}:`,
    ...Object.entries(table).map(([name, meaning]) => `  ${name.padEnd(24)}${meaning}`),
  ]);
  return [`Usage: npm run ${call}`, "", about, ...lines].join("\n");
}

/** The value of `--name`; throws a {@link CommandError} (2) if it is not a whole number. */
export function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw new CommandError(2, [`--${name} ${value}: must be a whole number of at most 9 digits`]);
  return Number(value);
}

/**
 * npm keeps options that are written without `--`, misspelt ones too, and passes them on as variables only: the script
 * would run without them.
 */
function refuseKept(script: string, options: Options) {
  const kept = new Set(
    Object.entries(process.env).flatMap(([variable, value]) => {
      const [, key] = /^npm_config_(\w+)$/i.exec(variable) ?? [];
      if (!key || !value || value === "false") return [];
      const name = key.toLowerCase().replaceAll("_", "-");
      return (name in options ? name : similarName(name, Object.keys(options))) ?? [];
    }),
  );
  if (kept.size === 0) return;
  const written = [...kept].map((name) => `--${name}${options[name]?.type === "string" ? " <value>" : ""}`);
  // PowerShell may remove the first `--` on its way to npm.
  const powershell =
    process.platform === "win32" ? " (in PowerShell, write npm.cmd if npm refuses this line too)" : "";
  throw new CommandError(2, [
    `npm took ${written.join(" ")} for options of its own. Put -- before all options: npm run ${script} -- ${written.join(" ")}${powershell}. Nothing was sent`,
  ]);
}

/** Quotes an argument for the shell of this system. */
function quoted(argument: string): string {
  if (/^[\w./:,=@%+-]+$/.test(argument)) return argument;
  return process.platform === "win32"
    ? `"${argument.replaceAll('"', '\\"')}"`
    : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** The parts of a command line, also of one that will be refused. */
const tokensOf = (options: Options, given: readonly string[]) =>
  parseArgs({ args: [...given], options, allowPositionals: true, strict: false, tokens: true }).tokens;

/** Of an option that is given twice, only the last value would count, so that a run tests less than was asked for. */
function refuseRepeated(options: Options, given: readonly string[]) {
  const names = tokensOf(options, given).flatMap((token) =>
    token.kind === "option" && options[token.name]?.type === "string" && !options[token.name]?.multiple
      ? [token.name]
      : [],
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice)
    throw new CommandError(2, [
      `--${twice} is given more than once, and only the last value would count: give it once`,
    ]);
}

/** An argument without a name may be what is left of an option whose name npm understood as its own (`-s`). */
function refuseUnnamed(script: string, options: Options, given: readonly string[], unnamed: string) {
  const tokens = tokensOf(options, given);
  // The value of an unknown option would be the wrong thing to complain about.
  if (tokens.some((token) => token.kind === "option" && !(token.name in options))) return;
  const places = tokens.flatMap((token) => (token.kind === "positional" ? [token.index] : []));
  if (places.length === 0) return;
  const values = given.filter((_, index) => places.includes(index));
  const others = given.filter((_, index) => !places.includes(index));
  throw new CommandError(2, [
    `${values.join(" ")} has no option before it. Write: npm run ${script} -- ${[`--${unnamed}`, values.join(","), ...others].map(quoted).join(" ")}. Nothing was sent`,
  ]);
}
