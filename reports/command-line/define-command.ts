import { type ParseArgsConfig, parseArgs } from "node:util";
import { printable } from "../wording.ts";
import type { Command, Environment, Invocation, Output } from "./command.ts";
import { CommandError, ending, similarName } from "./command.ts";
import { holdsLiveKey, liveKeyIn } from "./live-keys.ts";

type Options = Readonly<
  Record<string, NonNullable<ParseArgsConfig["options"]>[string] & { readonly about: string }>
>;

interface Definition<O extends Options> {
  /** Its words: `certify`, `load merge`. */
  readonly name: string;
  readonly about: string;
  /** The arguments that are not options, as the help shows them: `<file>`, `[file]` or `<file>...`. */
  readonly takes?: readonly string[];
  /** The option that an argument probably belongs to, where there must be none. */
  readonly unnamed?: keyof O & string;
  readonly options: O;
  readonly tables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly commands?: Readonly<Record<string, { readonly about: string; readonly command: Command }>>;
  /** Returns the exit code, or the text that is its whole output. */
  readonly run: (given: Given<O>) => number | string | Promise<number | string>;
}

/** The parsed arguments of a command, and what else it was given. */
export interface Given<O extends Options> extends Invocation {
  readonly values: ReturnType<typeof parsed<O>>["values"];
  readonly words: readonly string[];
}

/** An option without a value. */
export const FLAG = { type: "boolean", default: false } as const;

const COMMON = {
  help: { ...FLAG, short: "h", about: "show this help" },
} as const;

/** Makes a command that parses its arguments, shows its help, and turns errors into messages and exit codes. */
export function defineCommand<const O extends Options>(definition: Definition<O>): Command {
  const { commands = {} } = definition;
  return async (given) => {
    // pnpm hands on the -- that npm keeps.
    const invocation = { ...given, argv: given.argv[0] === "--" ? given.argv.slice(1) : given.argv };
    const [first = "", ...rest] = invocation.argv;
    const command = Object.hasOwn(commands, first) ? commands[first]?.command : undefined;
    if (command) return await command({ ...invocation, argv: rest });
    try {
      const read = parse(definition, invocation);
      const { help }: { help?: boolean } = read.values;
      const result = help ? helpOf(definition) : await definition.run(read);
      if (typeof result === "string") invocation.stdout.write(`${result}\n`);
      return typeof result === "string" ? 0 : result;
    } catch (error) {
      return printProblems(error, invocation.stderr);
    }
  };
}

/** Prints why a command does not go on, each problem on one line; returns its exit code. */
export function printProblems(error: unknown, stderr: Output): number {
  const { exitCode, lines } = ending(error);
  for (const line of lines) stderr.write(`${printable(line.split("\n")[0] ?? "")}\n`);
  return exitCode;
}

/** The value of `--name`; throws a {@link CommandError} (2) if it is not a whole number. */
export function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) refuse(`--${name} ${value}: must be a whole number of at most 9 digits`);
  return Number(value);
}

const refuse = (problem: string): never => {
  throw new CommandError(2, [problem]);
};

/**
 * Parses a command line. Throws a {@link CommandError}: 3 for a live key, which no message repeats; 2 for an unknown option,
 * and for an option that npm took because `--` is missing.
 */
function parse<O extends Options>(definition: Definition<O>, invocation: Invocation): Given<O> {
  const { argv, env } = invocation;
  if (argv.some(holdsLiveKey)) throw new CommandError(3, [liveKeyIn(["the command line"])]);
  const options = { ...definition.options, ...COMMON };
  refuseKept({ ...definition, options }, env);
  const { values, positionals: words, tokens } = parsedOrRefused(definition, argv);
  // Of an option that is given twice, only the last value would count, and the run would test less than was asked for.
  const given = tokens.flatMap((token) => (token.kind === "option" ? token.name : []));
  const twice = given.find((name, place) => {
    const { type, multiple } = (options as Options)[name] ?? {};
    return type === "string" && !multiple && given.indexOf(name) !== place;
  });
  if (twice) refuse(`--${twice} is given more than once, and only the last value would count: give it once`);
  if (!given.includes("help")) refuseWords(definition, words);
  return { ...invocation, values, words };
}

const parsed = <O extends Options>(options: O, argv: readonly string[]) =>
  parseArgs({ args: [...argv], options, allowPositionals: true, strict: true, tokens: true });

function parsedOrRefused<O extends Options>({ name, options }: Definition<O>, argv: readonly string[]) {
  try {
    return parsed({ ...COMMON, ...options }, argv);
  } catch (error) {
    const [problem = ""] = (error as Error).message.split(/[.\n]/, 1);
    const known = Object.keys({ ...options, ...COMMON });
    const [, typed = ""] = /^Unknown option '--([^']+)'/.exec(problem) ?? [];
    const meant = similarName(typed, known);
    return refuse(
      `${problem}${meant ? `: did you mean --${meant}?` : "."} npm run ${name} accepts ${known.map((option) => `--${option}`).join(", ")}`,
    );
  }
}

/** Throws a {@link CommandError} (2) for arguments that the command does not take, and for those that it lacks. */
function refuseWords<O extends Options>(
  { name, takes = [], unnamed }: Definition<O>,
  words: readonly string[],
) {
  const least = takes.filter((one) => one.startsWith("<")).length;
  const most = takes.some((one) => one.endsWith("...")) ? Number.POSITIVE_INFINITY : takes.length;
  if (words.length < least) refuse(`usage: ${lineOf(name, takes.join(" "))}`);
  if (words.length <= most) return;
  // It may be what is left of an option whose name npm understood as its own (`-s`).
  const meant = unnamed
    ? `did you mean ${lineOf(name, `--${unnamed} ${words.join(",")}`)}?`
    : `usage: ${lineOf(name, [...takes, "[options]"].join(" "))}`;
  refuse(`unexpected argument ${words.slice(takes.length).join(" ")}: ${meant} Nothing was sent`);
}

/** What to type: `npm run load -- merge <run folder>`. */
function lineOf(name: string, rest: string): string {
  const [script, ...words] = name.split(" ");
  return ["npm run", script, "--", ...words, rest].join(" ");
}

/**
 * npm keeps options that are written without `--`, misspelt ones too, and passes them on as variables only: the script
 * would run without them. It leaves no trace of those that it knows and no longer uses (`--only`).
 */
function refuseKept({ name, options }: Definition<Options>, env: Environment) {
  const kept = new Set(
    Object.entries(env).flatMap(([variable, value]) => {
      const [, key] = /^npm_config_(\w+)$/i.exec(variable) ?? [];
      const option = key?.toLowerCase().replaceAll("_", "-") ?? "";
      // `silent` is a setting of npm's user, and resembles an option of ours.
      if (!option || !value || value === "false" || option === "silent") return [];
      if (Object.hasOwn(options, option)) return [option];
      return similarName(option, Object.keys(options)) ?? [];
    }),
  );
  if (kept.size === 0) return;
  const written = [...kept].map(
    (option) => `--${option}${options[option]?.type === "string" ? " <value>" : ""}`,
  );
  refuse(
    `npm took ${written.join(" ")} for options of its own. Put -- before all options: ${lineOf(name, written.join(" "))}. Nothing was sent`,
  );
}

function helpOf<O extends Options>({
  name,
  about,
  takes = [],
  options,
  tables = {},
  commands = {},
}: Definition<O>) {
  const rest = [...takes, "[options]"].join(" ");
  const written = ([option, { type, short, about }]: [string, Options[string]]) => [
    `${short ? `-${short}, ` : ""}--${option}${type === "string" ? " <value>" : ""}`,
    about,
  ];
  const sections: [title: string, rows: string[][]][] = [
    [
      "Commands, each with its own --help",
      Object.entries(commands).map(([word, { about }]) => [word, about]),
    ],
    ["Options", Object.entries<Options[string]>({ ...options, ...COMMON }).map(written)],
    ...Object.entries(tables).map(([title, table]): [string, string[][]] => [title, Object.entries(table)]),
  ];
  const lines = sections
    .filter(([, rows]) => rows.length > 0)
    .flatMap(([title, rows]) => [
      "",
      `${title}:`,
      ...rows.map(([key = "", meaning]) => `  ${key.padEnd(24)}${meaning}`),
    ]);
  const usage = [`Usage: ${lineOf(name, rest)}`, `   or: npx payments-conformance ${name} ${rest}`];
  return [...usage, "", about, ...lines].join("\n");
}
