import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CommandError } from "../../reports/text/command.ts";
import { cpuSecondsOfEndedChildren, memoryOf } from "../generator/usage.ts";

const LOOK_MS = 50;
const TSX = import.meta.resolve("tsx");

/** A program to run, and the seconds after which it is killed. */
export interface Program {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly cwd?: string;
  /** File descriptors that it inherits, from 3 on. */
  readonly descriptors?: readonly number[];
}

/** What a program took from its start to its end. */
export interface Measured {
  readonly stdout: string;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Runs a program to its end, while no other child of this process ends; throws unless it exits with 0. */
export async function measure(program: Program): Promise<Measured> {
  const before = cpuSecondsOfEndedChildren();
  if (before === undefined) throw new CommandError(3, ["the bench reads /proc, so it needs Linux"]);
  const child = start(program);
  let peakMb = 0;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(child.pid)?.peak ?? 0);
  }, LOOK_MS);
  const { stdout } = await outputOf(child, program).finally(() => clearInterval(look));
  return { stdout, cpuSeconds: (cpuSecondsOfEndedChildren() ?? Number.NaN) - before, peakMb };
}

/** Starts a program, which ends when its time is over or this process ends. */
export function start({ path, args, env, seconds, cwd, descriptors = [] }: Program): ChildProcess {
  const child = spawn(path, args, {
    env,
    ...(cwd !== undefined && { cwd }),
    stdio: ["ignore", "pipe", "pipe", ...descriptors],
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.removeListener("exit", kill));
  return child;
}

/** What a program prints until it ends; throws unless it ends with one of these exit codes. */
export async function outputOf(
  child: ChildProcess,
  { path, args, seconds }: Program,
  expected: readonly number[] = [0],
): Promise<{ readonly code: number; readonly stdout: string }> {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== null && expected.includes(code)) return { code, stdout: printed.stdout };
  const how = code === null ? `was killed (it has ${seconds} s)` : `ended with exit code ${code}`;
  const lines = `${printed.stdout}\n${printed.stderr}`.trim().split("\n");
  throw new CommandError(3, [`${path} ${args[0] ?? ""} ${how}: ${lines.slice(-3).join(" / ")}`]);
}

/** A TypeScript file of the suite as a program, whatever folder it runs in. */
export const nodeProgram = (file: URL, args: readonly string[]) => ({
  path: process.execPath,
  args: ["--import", TSX, fileURLToPath(file), ...args],
});
