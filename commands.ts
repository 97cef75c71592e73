import type { Commands } from "./reports/command-line/run.ts";

/** Every command; its code is loaded when it runs. */
export const COMMANDS: Commands = {
  setup: async () => (await import("./suites/setup/main.ts")).setup,
  certify: async () => (await import("./suites/runner/certify.ts")).certify,
  gate: async () => (await import("./suites/runner/certify.ts")).gate,
  load: async () => (await import("./load/launch/main.ts")).load,
  report: async () => (await import("./reports/main.ts")).report,
  clean: async () => (await import("./reports/clean.ts")).clean,
  sandbox: async () => (await import("./fixtures/sandbox-command.ts")).sandbox,
  mutants: async () => (await import("./suites/proof/mutants/main.ts")).mutants,
  attacks: async () => (await import("./suites/proof/attacks/main.ts")).attacks,
  bench: async () => (await import("./load/bench/main.ts")).bench,
};
