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
 * The lines to paste for a finding: before each command, comments say what was answered and what it does. Without steps, the
 * command that repeats the decisive request.
 */
export function pasteable({ steps = [], curl }: Pick<CheckResult, "steps" | "curl">): string[] {
  if (steps.length === 0) return curl ? [curl] : [];
  return steps.flatMap((step, index) => [
    ...notesOn(step, steps.length > 1 ? `${index + 1} of ${steps.length}` : undefined).map(
      (note) => `# ${note}`,
    ),
    step.powershell ?? step.curl,
  ]);
}

/** What to know about a step: its `place` among several, its response, how to repeat it, and what its request does. */
function notesOn(step: Step, place: string | undefined): string[] {
  const { request, outcome, body, decisive, notes = [] } = step;
  const response = body ? `: ${body}` : "";
  const story = `${place}${decisive ? ", which decides" : ""}: ${request} ${outcome}${response}`;
  const effect = EFFECTS[step.effect];
  return [...(place === undefined ? [] : [printable(story)]), ...notes, ...(effect ? [effect] : [])];
}

/** The variables that the commands of these checks use, the secret key first. */
export function variablesIn(checks: readonly Pick<CheckResult, "steps">[]): string[] {
  const commands = checks.flatMap(({ steps = [] }) => steps.map(({ curl }) => curl));
  const names = commands.flatMap((command) => [...command.matchAll(/"\$([A-Z][A-Z0-9_]*)"/g)]);
  const used = new Set(names.map(([, name = ""]) => name).filter((name) => name !== "RUN"));
  return [...used].toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

const rank = (name: string) => (name === "SECRET_KEY" ? 0 : 1);

/**
 * Says how these variables get into a shell without being shown, in lines of text; the command to paste is indented.
 * No lines if there are no variables.
 */
export function howToLoad(
  names: readonly string[],
  source: KeySource = { from: "environment" },
  platform: NodeJS.Platform = process.platform,
): string[] {
  if (names.length === 0) return [];
  const { from, path = ".env" } = source;
  const list = names.map((name) => `$${name}`).join(", ");
  const shell = platform === "win32" ? "PowerShell 7" : "bash";
  const first = `To repeat these requests in ${shell}, first load ${list}; this prints nothing:`;
  if (from === "sandbox")
    return [
      `The commands called the embedded sandbox, which has stopped; npm run sandbox starts one that goes on.`,
    ];
  if (from === "environment")
    return [
      `To repeat these requests, run the commands in ${shell} with the values that this run had in its environment: ${list}.`,
    ];
  if (from === "env-file") return [first, `  ${allFrom(path, names, platform)}`];
  const others = names.filter((name) => name !== "SECRET_KEY");
  return [
    first,
    `  ${keyFrom(path, platform)}`,
    ...(others.length > 0 ? [`  (and set ${others.join(", ")} as they were for this run)`] : []),
  ];
}

const keyFrom = (path: string, platform: NodeJS.Platform) =>
  platform === "win32"
    ? `$env:SECRET_KEY = (Get-Content -Raw '${path.replaceAll("'", "''")}').Trim()`
    : `export SECRET_KEY="$(cat '${path.replaceAll("'", "'\\''")}')"`;

/** Node reads the file as this suite does, which a shell would not. */
function allFrom(path: string, names: readonly string[], platform: NodeJS.Platform): string {
  const file = platform === "win32" ? path.replaceAll("'", "''") : path.replaceAll("'", "'\\''");
  return platform === "win32"
    ? `foreach ($name in '${names.join("', '")}') { Set-Item "env:$name" (node '--env-file=${file}' -p "process.env.$name") }`
    : `for name in ${names.join(" ")}; do export "$name=$(node '--env-file=${file}' -p "process.env.$name")"; done`;
}
