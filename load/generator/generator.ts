import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { printableLines } from "../../reports/wording.ts";
import type { Settings } from "../k6/profiles.ts";
import type { Pools } from "../k6/requests.ts";
import { RESPONSES_LOG } from "../results/recording/lines.ts";
import type { K6 } from "./binary.ts";

interface Generation {
  readonly k6: K6;
  readonly directory: string;
  /** Not on the command line, which every user of the machine can read. */
  readonly settings: Settings;
  readonly pools: Pools;
  readonly environment: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  /** Asks k6 to stop. */
  readonly signal: AbortSignal;
}

/** What k6 runs. It reads TypeScript itself. */
export const SCRIPT = fileURLToPath(new URL("../k6/main.ts", import.meta.url));

export const CONFIG = fileURLToPath(new URL("../k6/config.json", import.meta.url));
const MAX_LOG_CHARACTERS = 256 * 1024;
/** k6 collects garbage when it has this percentage of what is in use, which saves a fifth of its CPU. */
const GARBAGE = "400";
/** Above half of the free memory of this machine, k6 collects garbage more often. */
const memoryLimitMb = () => Math.floor(process.availableMemory() / 2 ** 21);

const OVERHEAD_MS = 60_000;

/** How a run of k6 ended. */
export type Ending = Awaited<ReturnType<typeof runK6>>;

/** Runs k6 to its end; leaves `responses.log` and `k6.log` in the run's folder. */
export async function runK6(generation: Generation) {
  const { k6, directory, settings, pools, redactor, signal } = generation;
  const pool = writePools(pools);
  const output = ["--log-format", "raw", "--console-output", join(directory, RESPONSES_LOG)];
  const child = spawn(k6.path, ["run", ...FLAGS, ...output, SCRIPT], {
    // In a process group of its own: Ctrl-C reaches only this process, which then asks k6 once.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // It hangs on a script that its engine cannot read.
    timeout: settings.profile.seconds * 1000 + settings.timeoutMs + OVERHEAD_MS,
    killSignal: "SIGKILL",
    env: {
      ...generation.environment,
      ...variablesOf({ ...settings, pool: { file: pool.file } }),
      GOGC: GARBAGE,
      GOMEMLIMIT: `${memoryLimitMb()}MiB`,
    },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      if (log.length < MAX_LOG_CHARACTERS) log += chunk.toString("utf8");
    });
  const watchdog = startWatchdog(child.pid, pool.folder);
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const [code] = await once(child, "close").finally(() => {
    watchdog.kill("SIGKILL");
    removePools(pool);
  });

  const text = printableLines(redactor.text(log));
  writeFileSync(join(directory, "k6.log"), text);
  return {
    /** k6's exit code: 0, 99 broken thresholds, 105 stopped by a signal; `null` if k6 was killed. */
    code: code as number | null,
    tail: text.trim().split("\n").slice(-3).join(" / "),
  };
}

/** k6 would keep every sample, about 163 bytes per request: the log is folded into histograms instead. */
const WITHOUT_SAMPLES = ["--summary-mode=disabled", "--no-thresholds"];
const FLAGS = ["--quiet", "--no-color", "--no-usage-report", "--config", CONFIG, ...WITHOUT_SAMPLES];

/** The variables of k6: the settings, and what any program needs to run; the user's K6_ variables would change the run. */
export function variablesOf(settings: Settings): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "SystemRoot", "USERPROFILE"];
  return {
    ...Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    SETTINGS: JSON.stringify(settings),
    K6_AUTO_EXTENSION_RESOLUTION: "false",
  };
}

/** Ends a process and removes a folder when its own standard input ends, which is when this process is gone; in JavaScript, to start quickly. */
const WATCHDOG = `process.stdin.resume().once("close", () => {
  try { process.kill(Number(process.argv[1]), "SIGKILL"); } catch {}
  require("node:fs").rmSync(process.argv[2], { recursive: true, force: true });
})`;

/** Nothing that runs in this process could stop the load after a SIGKILL or a crash. */
function startWatchdog(pid: number | undefined, folder: string): ChildProcess {
  return spawn(process.execPath, ["--eval", WATCHDOG, String(pid), folder], {
    // Out of reach of a signal to this process's group.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

/** Writes the records for k6 into a file that only its owner can read; {@link removePools} removes it when k6 has ended. */
export function writePools(pools: Pools) {
  const folder = mkdtempSync(join(tmpdir(), "payments-load-"));
  const file = join(folder, "pool.json");
  writeFileSync(file, JSON.stringify(pools), { mode: 0o600 });
  return { folder, file };
}

export const removePools = ({ folder }: ReturnType<typeof writePools>) =>
  rmSync(folder, { recursive: true, force: true });
