import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onStopSignal, STOP_SIGNALS } from "../../fixtures/config/signals.ts";

const LAUNCHER = fileURLToPath(new URL("../launch/main.ts", import.meta.url));

/** Runs `npm run load` in child processes, one after the other, and stops the current one on Ctrl-C. */
export class ChildRuns {
  /** Whether a signal came: no further run starts. */
  interrupted = false;
  #stop: () => void = () => {};

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Runs it with these arguments and variables; returns its exit code, or 130 once a signal came. */
  async run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
    if (this.interrupted) return 130;
    const child = spawn(process.execPath, [...process.execArgv, LAUNCHER, ...args], {
      // As a script of npm does, the child stops when its parent is gone.
      env: { npm_lifecycle_event: "load", ...environment },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#stop = () => child.kill("SIGTERM");
    const [code] = await once(child, "close");
    return this.interrupted ? 130 : (code ?? 70);
  }

  release() {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.#onSignal);
  }

  #onSignal = onStopSignal(
    () => {
      this.interrupted = true;
      this.#stop();
    },
    () => process.exit(130),
  );
}

/** The variables of this process without some of them, and without the summary of a CI job, which is not the child's. */
export function inheritedWithout(names: readonly string[]): NodeJS.ProcessEnv {
  const hidden = new Set<string>([...names, "GITHUB_STEP_SUMMARY"]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)));
}
