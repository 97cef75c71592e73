import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { cpuSecondsOf, memoryOf } from "../generator/usage.ts";
import { parseJson } from "../k6/json.ts";
import { readText } from "../results/files.ts";
import { type LoadResult, RESULT } from "../results/result.ts";
import type { Workshop } from "./bench.ts";
import type { Sample } from "./figures.ts";
import { nodeProgram, outputOf, start } from "./processes.ts";
import type { Sandbox } from "./sandbox.ts";

const LOOK_MS = 200;
/** Passed, or k6 was too slow on a busy machine. */
const USABLE = [0, 4];

/** A run of `npm run load`, and the memory that it took. */
export interface WatchedLoad {
  readonly code: number;
  readonly result: LoadResult;
  /** Memory in MB while k6 ran, counted from its start. */
  readonly k6: readonly Sample[];
  readonly launcher: readonly Sample[];
  /** The most memory that the launcher had at any time. */
  readonly peakMb: number;
  /** From the end of k6 to the end of the command, on the clock and of the launcher's CPU. */
  readonly secondsAfter: number;
  readonly cpuSecondsAfter: number;
}

/** Runs `npm run load` against a sandbox and looks at its memory all the time. */
export async function watchLoad(
  { env }: Sandbox,
  { k6, folder }: Pick<Workshop, "k6" | "folder">,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  seconds: number,
): Promise<WatchedLoad> {
  const surroundings = { PATH: process.env.PATH ?? "", HOME: folder, K6_PATH: k6.path };
  const program = {
    ...nodeProgram(new URL("../launch/main.ts", import.meta.url), args),
    env: { ...surroundings, ...env, ...variables },
    seconds,
    // No .env is read there.
    cwd: folder,
  };
  const child = start(program);
  const memory = { k6: [] as Sample[], launcher: [] as Sample[] };
  let [began, ended, peakMb] = [Number.NaN, Number.NaN, 0];
  let [cpuAtEnd, cpu] = [Number.NaN, Number.NaN];
  const look = setInterval(() => {
    const now = performance.now();
    const launcher = memoryOf(child.pid);
    const generator = memoryOf(childRunning(k6.path, child.pid));
    peakMb = Math.max(peakMb, launcher?.peak ?? 0);
    cpu = cpuSecondsOf(child.pid) ?? cpu;
    if (!generator || !launcher) return;
    if (Number.isNaN(began)) began = now;
    [ended, cpuAtEnd] = [now, cpu];
    const second = (now - began) / 1000;
    memory.k6.push({ second, value: generator.current });
    memory.launcher.push({ second, value: launcher.current });
  }, LOOK_MS);
  const { code } = await outputOf(child, program, USABLE).finally(() => clearInterval(look));
  const result = parseJson(readText(join(folder, "reports/out/latest-load", RESULT))) as LoadResult;
  const secondsAfter = (performance.now() - ended) / 1000;
  return { code, result, ...memory, peakMb, secondsAfter, cpuSecondsAfter: cpu - cpuAtEnd };
}

/** The child of a process that runs this program, if there is one. */
function childRunning(program: string, pid: number | undefined): number | undefined {
  const path = realpathSync(program);
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return children.map(Number).find((child) => readlinkSync(`/proc/${child}/exe`) === path);
  } catch {
    return undefined;
  }
}
