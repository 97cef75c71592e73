import { randomUUID } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, Vite, Vitest } from "vitest/node";
import { onStopSignal } from "../../fixtures/engine/config/signals.ts";
import type { Environment } from "../../reports/command-line/command.ts";

/** The channel on which the process of vitest tells the thread of the checks that it was interrupted. */
export const INTERRUPTS = "payments-conformance/interrupts";

declare module "vitest" {
  interface ProvidedContext {
    /** What somebody chose to run: all of it is one run. */
    chosen: {
      readonly runId: string;
      /** Files of checks, relative to suites/. */
      readonly files: readonly string[];
      /** Which names of tests were chosen, as a regular expression. */
      readonly pattern: string | undefined;
      /** The environment of vitest, which sets variables of its own in its threads. */
      readonly variables: Environment;
    };
  }
}

const SUITES = fileURLToPath(new URL("..", import.meta.url));

/** The path of a file of checks, relative to suites/. */
export const inSuites = (path: string) => relative(SUITES, path).replaceAll("\\", "/");

/**
 * Tells the tests what was chosen each time vitest runs them, and lets a run that is interrupted settle: vitest would end at
 * once, with payments under way. `variables` is the environment of vitest.
 */
export const oneRun = (variables: Environment): Vite.Plugin => ({
  name: "payments-conformance",
  configureVitest: ({ vitest }) => void vitest.config.reporters.push(chosenChecks(vitest, variables)),
});

const chosenChecks = (vitest: Vitest, variables: Environment): Reporter => ({
  onInit: () => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
    const interrupt = () => {
      process.exitCode = 130;
      interruptRun();
    };
    onStopSignal(interrupt, () => process.exit(130));
  },
  onTestRunStart: (specifications) => {
    // Ctrl-C in watch mode is a key, and not a signal.
    vitest.onCancel(interruptRun);
    const files = specifications.map(({ moduleId }) => inSuites(moduleId));
    const pattern = vitest.getGlobalTestNamePattern()?.source;
    const chosen = { runId: randomUUID(), files, pattern, variables };
    for (const project of new Set(specifications.map((one) => one.project)))
      project.provide("chosen", chosen);
  },
});

function interruptRun() {
  const channel = new BroadcastChannel(INTERRUPTS);
  channel.postMessage("interrupted");
  channel.close();
}
