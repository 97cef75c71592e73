import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Redactor } from "../../fixtures/config/redaction.ts";
import type { K6 } from "./binary.ts";

/** How k6 ended. */
export interface Ending {
  /** k6's exit code: 0, 99 thresholds broken, 105 stopped by a signal; anything else is its failure. */
  readonly code: number | null;
  /** Share of all processors that k6 used; only known on Linux. */
  readonly cpuShare?: number;
  /** Last lines of what k6 wrote to its log, redacted. */
  readonly tail: string;
}

/** One run of k6. */
export interface Generation {
  readonly k6: K6;
  readonly directory: string;
  /** What the scripts are told; never on the command line, which every user of the machine can read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  /** k6 is killed after this long: it can hang for ever on a script it cannot read. */
  readonly deadlineMs: number;
  /** Told once k6 runs. The function it is given asks k6 to stop, and the second time ends it. */
  readonly onStart: (stop: () => void) => void;
}

const SCRIPT = fileURLToPath(new URL("../k6/main.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../k6/config.json", import.meta.url));
/** Characters of k6's log that are kept. */
const KEPT = 256 * 1024;
const SAMPLE_MS = 250;

/** Runs k6 to its end; leaves `answers.log` and `k6.log` in the run's folder. */
export function generate(generation: Generation): Promise<Ending> {
  const { k6, directory, environment, redactor, deadlineMs, onStart } = generation;
  const child = spawn(
    k6.path,
    [
      ...["run", "--quiet", "--no-color", "--no-usage-report", "--config", CONFIG],
      ...["--log-format", "raw", "--console-output", join(directory, "answers.log"), SCRIPT],
    ],
    {
      // A group of its own: Ctrl-C on the terminal reaches this process alone, which then asks k6 once.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...environment, ...inherited(), K6_AUTO_EXTENSION_RESOLUTION: "false", GOGC: "400" },
    },
  );
  const started = performance.now();
  let log = "";
  const keep = (chunk: Buffer) => {
    if (log.length < KEPT) log += chunk.toString("utf8");
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const processor = watchProcessor(child);
  const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);
  onStart(stopper(child));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(deadline);
      process.removeListener("exit", killOnExit);
      const elapsed = (performance.now() - started) / 1000;
      const seconds = processor.stop();
      const text = redactor.text(log);
      writeFileSync(join(directory, "k6.log"), text);
      resolve({
        code,
        ...(seconds !== undefined && { cpuShare: seconds / elapsed / availableParallelism() }),
        tail: text.trim().split("\n").slice(-3).join(" / "),
      });
    });
  });
}

function stopper(child: ChildProcess): () => void {
  let asked = false;
  return () => {
    child.kill(asked ? "SIGKILL" : "SIGINT");
    asked = true;
  };
}

/** Variables that a program needs to run at all; K6_ ones of the user would change the run. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "SystemRoot", "USERPROFILE"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Follows the processor seconds of a child, which Linux shows in /proc for as long as it runs. */
function watchProcessor(child: ChildProcess) {
  let seconds: number | undefined;
  const timer = setInterval(() => {
    seconds = processorSeconds(child.pid) ?? seconds;
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return seconds;
    },
  };
}

const TICKS_PER_SECOND = 100;

function processorSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
