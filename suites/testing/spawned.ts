import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { HOUSE, nodeArguments, type Script } from "../../fixtures/testing/scripts.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";

/** A command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
  /** The folder it ran in, where it left its reports. */
  readonly folder: string;
}

/** A command under way. */
export interface Spawned {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far, on both streams. */
  readonly printed: () => string;
}

/** Starts a command with these variables and nothing else around it, in a folder of its own unless one is given. */
export const start = (
  script: Script,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): Spawned => run(process.execPath, nodeArguments(script, args), variables, folder);

/** Runs a command to its end. */
export const execute = (...what: Parameters<typeof start>): Promise<Ended> => start(...what).ended;

/** Runs an npm script of this house, as a person would type it. */
export const npm = (args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> =>
  startNpm(args, variables).ended;

/** Starts vitest as `npx vitest` does, with this house's configuration. */
export const startVitest = (
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Spawned =>
  run(
    process.execPath,
    [join(HOUSE, "node_modules/vitest/vitest.mjs"), ...args, "--root", HOUSE],
    { ...variables, NO_COLOR: "1" },
    temporaryFolder(),
  );

/** Runs a program written in JavaScript, from the folder of this house. */
export const runProgram = (
  program: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  run(process.execPath, ["--input-type=module", "--eval", program], variables, HOUSE).ended;

/** Starts an npm script of this house in a process group of its own, as a terminal does. */
export const startNpm = (
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  folder = temporaryFolder(),
): Spawned =>
  run(
    "npm",
    ["--prefix", HOUSE, "--silent", ...args],
    // Two that start within a millisecond would share a log, from which the suite reads what was typed.
    { ...variables, npm_config_logs_dir: temporaryFolder() },
    folder,
    true,
  );

/** A command in a terminal of its own, into which keys can be typed. */
interface InTerminal extends Spawned {
  readonly type: (keys: string) => void;
}

/** Starts `npm <words>` of this house in a terminal, where Ctrl-C reaches npm and everything that it started. */
export function startInTerminal(words: string, variables: Readonly<Record<string, string>>): InTerminal {
  const command = `npm --prefix "${HOUSE}" --silent ${words}`;
  const started = run("script", ["--quiet", "--return", "--command", command, "/dev/null"], variables);
  return { ...started, type: (keys) => started.process.stdin?.write(keys) };
}

function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  folder = temporaryFolder(),
  detached = false,
): Spawned {
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    // vitest puts BASE_URL and MODE into the environment of its tests.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    stdio: ["pipe", "pipe", "pipe"],
    detached,
  });
  if (program !== "script") child.stdin.end();
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, ...printed, milliseconds: performance.now() - begun, folder }),
    );
  });
  return { process: child, ended, printed: () => printed.stdout + printed.stderr };
}

/** The verdicts that the last run in a folder left behind. */
export const verdictsIn = ({ folder }: Ended): Verdicts =>
  JSON.parse(readFileSync(join(folder, "reports/out/latest/verdicts.json"), "utf8")) as Verdicts;

/** Verdict and message of one check of a run. */
export function findingIn(file: Verdicts, id: string) {
  const check = file.checks.find((candidate) => candidate.id === id);
  if (!check) throw new Error(`no check is called ${id}`);
  return check;
}
