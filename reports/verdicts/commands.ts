import { printable } from "../wording.ts";
import type { KeySource } from "./run.ts";
import type { CheckResult, Step } from "./verdict.ts";

/** What a command does if the API carries its request out. */
const EFFECTS: Readonly<Record<Step["effect"], string | undefined>> = {
  read: undefined,
  money: "This moves money if the API accepts it.",
  create: "This creates a record, which this API cannot delete, if the API accepts it.",
  update: "This changes a record if the API accepts it.",
};

/**
 * The lines to paste for a finding: before each command, comments say what the API returned and what the command does. Without steps, the
 * command that repeats the decisive request.
 */
export function pasteable({ steps = [], curl }: Pick<CheckResult, "steps" | "curl">): string[] {
  if (steps.length === 0) return curl ? [curl] : [];
  return steps.flatMap(({ request, outcome, body, decisive, notes = [], effect, ...step }, index) => {
    const place = `${index + 1} of ${steps.length}${decisive ? ", which decides" : ""}`;
    const story = printable(`${place}: ${request} ${outcome}${body ? `: ${body}` : ""}`);
    const warning = EFFECTS[effect];
    const comments = [...(steps.length > 1 ? [story] : []), ...notes, ...(warning ? [warning] : [])];
    return [...comments.map((comment) => `# ${comment}`), step.powershell ?? step.curl];
  });
}

/** The variables that the commands of these checks use, the secret key first. */
export function variablesIn(checks: readonly Pick<CheckResult, "steps">[]): string[] {
  const commands = checks.flatMap(({ steps = [] }) => steps.map(({ curl }) => curl));
  const names = commands.flatMap((command) => [...command.matchAll(/"\$([A-Z][A-Z0-9_]*)"/g)]);
  const used = new Set(names.map(([, name = ""]) => name).filter((name) => name !== "RUN"));
  const isKey = (name: string) => Number(name === "SECRET_KEY");
  return [...used].toSorted((one, other) => isKey(other) - isKey(one) || one.localeCompare(other));
}

interface Shell {
  readonly name: string;
  /** Loads a file that holds the key alone. */
  readonly loadKey: (path: string) => string;
  /** Loads variables from an env file. Node reads the file as this suite does, which a shell would not. */
  readonly loadAll: (path: string, names: readonly string[]) => string;
}

const inBash = (path: string) => path.replaceAll("'", "'\\''");
const inPowerShell = (path: string) => path.replaceAll("'", "''");

const BASH: Shell = {
  name: "bash",
  loadKey: (path) => `export SECRET_KEY="$(cat '${inBash(path)}')"`,
  loadAll: (path, names) =>
    `for name in ${names.join(" ")}; do export "$name=$(node '--env-file=${inBash(path)}' -p "process.env.$name")"; done`,
};

const POWERSHELL: Shell = {
  name: "PowerShell 7",
  loadKey: (path) => `$env:SECRET_KEY = (Get-Content -Raw '${inPowerShell(path)}').Trim()`,
  loadAll: (path, names) =>
    `foreach ($name in '${names.join("', '")}') { Set-Item "env:$name" (node '--env-file=${inPowerShell(path)}' -p "process.env.$name") }`,
};

/**
 * Says how these variables get into a shell without being shown, in lines of text; the command to paste is indented.
 * No lines if there are no variables.
 */
export function howToLoad(
  names: readonly string[],
  { from, path = ".env" }: KeySource = { from: "environment" },
  platform: NodeJS.Platform = process.platform,
): string[] {
  if (names.length === 0) return [];
  const shell = platform === "win32" ? POWERSHELL : BASH;
  const list = names.map((name) => `$${name}`).join(", ");
  if (from === "sandbox")
    return [
      "The commands called the embedded sandbox, which has stopped; npm run sandbox starts one that goes on.",
    ];
  if (from === "environment")
    return [
      `To repeat these requests, run the commands in ${shell.name} with the values that this run had in its environment: ${list}.`,
    ];
  const first = `To repeat these requests in ${shell.name}, first load ${list}; this prints nothing:`;
  if (from === "env-file") return [first, `  ${shell.loadAll(path, names)}`];
  const others = names.filter((name) => name !== "SECRET_KEY").join(", ");
  const rest = others === "" ? [] : [`  (and set ${others} as they were for this run)`];
  return [first, `  ${shell.loadKey(path)}`, ...rest];
}
