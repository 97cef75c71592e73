import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { STOP_SIGNALS } from "../../fixtures/config/signals.ts";

/** The words of vitest that run something; `vitest list` and others do not. */
const RUNS: readonly (string | undefined)[] = ["run", "watch", "dev"];

const MAIN = fileURLToPath(new URL("../runner/main.ts", import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/**
 * What `npm run certify` needs to run the files of checks that a vitest command line names; `undefined` if it names none.
 * `argv` is what follows `vitest`.
 */
export function certifyArguments(argv: readonly string[]): string[] | undefined {
  const [first, ...others] = argv;
  const words = RUNS.includes(first) ? others : argv;
  const files = words.filter((word) => !word.startsWith("-") && word.includes(".check"));
  if (files.length === 0 || (!RUNS.includes(first) && !first?.includes(".check") && !first?.startsWith("-")))
    return undefined;
  const title = titleIn(words);
  return [
    ...files.flatMap((file) => ["--file", file.replace(/:\d+$/, "")]),
    ...(title === undefined ? [] : [`--title=${title}`]),
  ];
}

function titleIn(words: readonly string[]): string | undefined {
  const [, joined] = words.map((word) => /^(?:-t|--testNamePattern)=(.*)$/.exec(word)).find(Boolean) ?? [];
  const place = words.findIndex((word) => word === "-t" || word === "--testNamePattern");
  return joined ?? (place < 0 ? undefined : words[place + 1]);
}

/**
 * Runs checks as `npm run certify` does, with its interlocks, plan, budget and evidence, and ends this process with its
 * exit code. `environment` is that of the command: vitest changes its own.
 */
export async function runAsCertify(
  args: readonly string[],
  { BASE_URL, ...environment }: NodeJS.ProcessEnv,
): Promise<never> {
  const command = ["--import", TSX, MAIN, "certify", ...args];
  const child = spawn(process.execPath, command, {
    stdio: "inherit",
    // vitest takes this name for the base of its own paths.
    env: BASE_URL && BASE_URL !== "/" ? { ...environment, BASE_URL } : environment,
  });
  // Ctrl-C reaches the child as well, which settles its money first.
  for (const signal of STOP_SIGNALS) {
    process.removeAllListeners(signal);
    process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
  }
  const code = await new Promise<number>((resolve) => {
    child.once("close", (ended, by) => resolve(ended ?? 128 + (by ? constants.signals[by] : 0)));
  });
  process.exit(code);
}
