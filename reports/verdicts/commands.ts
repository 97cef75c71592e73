import { present, printable } from "../wording.ts";
import type { KeySource } from "./run.ts";
import type { CheckResult } from "./verdict.ts";

/** What a command does if the API carries its request out. */
const EFFECTS = {
  read: undefined,
  money: "This moves money if the API accepts it.",
  create: "This creates a record, which this API cannot delete, if the API accepts it.",
  update: "This changes a record if the API accepts it.",
};

const TOGETHER = "# Paste these lines together: their order and the time between them may matter.";

/**
 * The lines to paste for a finding: before each command, comments say what the API returned and what the command does. Without steps, the
 * command that repeats the decisive request.
 */
export function pasteable({ steps = [], curl }: Pick<CheckResult, "steps" | "curl">): string[] {
  if (steps.length === 0) return present(curl);
  const lines = steps.flatMap(({ request, outcome, body, decisive, notes = [], effect, ...step }, index) => {
    const place = `${index + 1} of ${steps.length}${decisive ? ", which decides" : ""}`;
    const story = printable(`${place}: ${request} ${outcome}${body ? `: ${body}` : ""}`);
    const comments = present(steps.length > 1 && story, ...notes, EFFECTS[effect]);
    return [...comments.map((comment) => `# ${comment}`), step.curl];
  });
  return [...present(steps.length > 1 && TOGETHER), ...lines];
}

/** The variables that the commands of these checks use, the secret key first. */
export function variablesIn(checks: readonly Pick<CheckResult, "steps">[]): string[] {
  const commands = checks.flatMap(({ steps = [] }) => steps.map(({ curl }) => curl));
  const names = commands.flatMap((command) => [...command.matchAll(/"\$([A-Z][A-Z0-9_]*)"/g)]);
  const used = new Set(names.map(([, name = ""]) => name).filter((name) => name !== "RUN"));
  const isKey = (name: string) => Number(name === "SECRET_KEY");
  return [...used].toSorted((one, other) => isKey(other) - isKey(one) || one.localeCompare(other));
}

const inBash = (path: string) => path.replaceAll("'", "'\\''");

/** Prints a variable of an env file, read as this suite reads it; neither a shell nor `node --env-file` does. */
const PRINT = "require('dotenv').parse(require('fs').readFileSync(process.argv[1]))[process.argv[2]]";

/** Loads a file that holds the key alone, in bash. */
const keyFrom = (path: string) => `export SECRET_KEY="$(cat '${inBash(path)}')"`;

/** Loads variables from an env file, in bash, in the folder of this suite. */
const allFrom = (path: string, names: readonly string[]) =>
  `for name in ${names.join(" ")}; do export "$name=$(node -p "${PRINT}" '${inBash(path)}' "$name")"; done`;

/**
 * Says how these variables get into bash without being shown, in lines of text; the command to paste is indented.
 * No lines if there are no variables.
 */
export function howToLoad(
  names: readonly string[],
  { from, path = ".env", tls = {} }: KeySource = { from: "environment" },
): string[] {
  if (names.length === 0) return [];
  if (from === "sandbox")
    return [
      "The commands called the embedded sandbox, which has stopped; npm run sandbox starts one that goes on.",
    ];
  const list = names.map((name) => `$${name}`).join(", ");
  const options = Object.entries(tls).map(([option, file]) => `--${option} '${inBash(file)}'`);
  const withTls = options.length > 0 && `curl() { command curl ${options.join(" ")} "$@"; }`;
  const line = (...parts: readonly (string | false)[]) => {
    const commands = present(...parts, withTls);
    return commands.length > 0 ? [`  ${commands.join("; ")}`] : [];
  };
  if (from === "environment")
    return [
      `To repeat these requests, run the commands in bash with the values that this run had in its environment: ${list}.`,
      ...line(),
    ];
  const first = `To repeat these requests in bash, first load ${list}; this prints nothing:`;
  if (from === "env-file") return [first, ...line(allFrom(path, names))];
  const others = names.filter((name) => name !== "SECRET_KEY").join(", ");
  return [
    first,
    ...line(keyFrom(path)),
    ...present(others && `  (and set ${others} as they were for this run)`),
  ];
}
