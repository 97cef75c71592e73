import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { nodeArguments, type Script } from "../../../fixtures/testing/scripts.ts";

/** A command that has ended, and what it took. */
export interface Measured {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The most memory that the process held at any time, in MB; 0 where the system does not say it. */
  readonly megabytes: number;
  /** It was killed because it did not end in time. */
  readonly overdue: boolean;
}

/** How often the memory of a process is read; its system keeps the highest value. */
const LOOK_MS = 50;

/** Runs a command with these variables and nothing else around it, to its end or for so many seconds. */
export async function runMeasured(
  script: Script,
  args: readonly string[],
  { folder, variables, seconds }: Surroundings,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Measured> {
  const begun = performance.now();
  const child = spawn(process.execPath, nodeArguments(script, args), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onStart(child);
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
    });
  let megabytes = 0;
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child));
  }, LOOK_MS);
  let overdue = false;
  const limit = setTimeout(() => {
    overdue = true;
    child.kill("SIGKILL");
  }, seconds * 1000);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject).on("close", resolve);
    });
    return { code, ...printed, seconds: (performance.now() - begun) / 1000, megabytes, overdue };
  } finally {
    clearInterval(look);
    clearTimeout(limit);
  }
}

interface Surroundings {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** The peak of the resident memory, as Linux has it. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
