import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { similarName } from "./similar.ts";

/** The options of a command: whether each takes a value. */
type Options = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

/**
 * The options of ours that npm kept because they were written without `--`, as they have to be typed. npm shows most of
 * them to the script as variables, but hides those that it once had itself (`--only`). Its log has them all.
 */
export function optionsKeptByNpm(
  script: string,
  options: Options,
  given: readonly string[],
): { readonly kept: readonly string[]; readonly rest: readonly string[] } {
  const rest = [...given];
  const kept = new Map<string, string>();
  const add = (name: string, value: string | undefined) => {
    if (options[name]?.type === "boolean") kept.set(name, `--${name}`);
    else kept.set(name, `--${name} ${value === undefined ? "<value>" : quoted(value)}`);
    // npm passes on the value of an option that it does not know.
    if (value !== undefined && rest.includes(value)) rest.splice(rest.indexOf(value), 1);
  };
  for (const [name, value] of optionsInLog(script, options, given)) add(name, value);
  for (const [name, value] of optionsInEnvironment(options)) if (!kept.has(name)) add(name, value);
  return { kept: [...kept.values()], rest };
}

/** Quotes an argument for the shell of this system. */
export function quoted(argument: string): string {
  if (/^[\w./:,=@%+-]+$/.test(argument)) return argument;
  return process.platform === "win32"
    ? `"${argument.replaceAll('"', '\\"')}"`
    : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Our option that a name means; typing errors are understood, since npm takes those as well. */
const meant = (name: string, options: Options) =>
  name in options ? name : similarName(name, Object.keys(options));

/** The options that npm passes on as variables. */
function* optionsInEnvironment(options: Options): Iterable<[string, string | undefined]> {
  for (const [variable, value] of Object.entries(process.env)) {
    const [, key] = /^npm_config_(\w+)$/i.exec(variable) ?? [];
    if (!key || !value || value === "false") continue;
    const name = meant(key.toLowerCase().replaceAll("_", "-"), options);
    // `only` is also an option of npm, which an .npmrc may set to prod or production.
    if (!name || (name === "only" && /^prod(uction)?$/.test(value))) continue;
    yield [name, value === "true" ? undefined : value];
  }
}

/** The options that npm's log has before `--`. */
function* optionsInLog(
  script: string,
  options: Options,
  given: readonly string[],
): Iterable<[string, string | undefined]> {
  if (process.env.npm_lifecycle_event !== script) return;
  for (const line of linesOf(npmLogs(), script, given)) yield* optionsIn(line, options);
}

/** What npm's log has for a letter of ours that npm takes for one of its own. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { all: "a" };

function* optionsIn(line: string, options: Options): Iterable<[string, string | undefined]> {
  const words = (line.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((word) => JSON.parse(word) as string);
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  for (const [index, word] of own.entries()) {
    const letter = WRITTEN_OUT[word.slice(2)];
    const typed = letter !== undefined && letter in options ? letter : word.slice(2);
    const name = word.startsWith("--") ? meant(typed, options) : undefined;
    if (!name) continue;
    const next = own[index + 1];
    const hasValue = options[name]?.type === "string" && next !== undefined && !next.startsWith("--");
    yield [name, hasValue ? next : undefined];
  }
}

/**
 * The lines with what was typed after `npm`, in the newest log that has one for this script and these arguments. They are
 * several if several npm started within one millisecond, because these share a log.
 */
function linesOf(logs: Iterable<string>, script: string, given: readonly string[]): string[] {
  for (const log of logs) {
    const entries = log.matchAll(/^\d+ verbose title npm \S+ (.*?)\r?\n\d+ verbose argv (.*)$/gm);
    const title = [script, ...given].join(" ");
    const lines = [...entries].flatMap(([, typed, argv = ""]) => (typed === title ? [argv] : []));
    if (lines.length > 0) return lines;
  }
  return [];
}

/** The log of the npm that started this process, or, where processes cannot be inspected, the newest logs. */
function npmLogs(): Iterable<string> {
  if (process.platform === "linux") return [logOfParent()];
  const { npm_config_logs_dir: named, npm_config_cache: cache } = process.env;
  const folder = named || (cache && join(cache, "_logs"));
  return folder ? newestLogs(folder) : [];
}

/** The processes between npm and this one: the shell, and a launcher. */
const GENERATIONS = 4;

function logOfParent(): string {
  let pid = process.ppid;
  for (let generation = 0; generation < GENERATIONS && pid > 1; generation += 1) {
    const log = attempt(() => openLogOf(pid));
    if (log) return log;
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
    pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }
  return "";
}

/** The log that a process has open, even if another npm has removed it since. */
function openLogOf(pid: number): string | undefined {
  const folder = `/proc/${pid}/fd`;
  const isLog = (file: string) => attempt(() => /-debug-0\.log( \(deleted\))?$/.test(readlinkSync(file)));
  const open = readdirSync(folder).map((name) => join(folder, name));
  const file = open.find(isLog);
  return file && readFileSync(file, "utf8");
}

/** The logs of a folder, the newest first. */
function* newestLogs(folder: string): Iterable<string> {
  const names = (attempt(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith("-debug-0.log"));
  for (const name of names.toSorted().reverse())
    yield attempt(() => readFileSync(join(folder, name), "utf8")) ?? "";
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
