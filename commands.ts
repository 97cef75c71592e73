import type { Commands } from "./reports/command-line/run.ts";

/** Every command; its code is loaded when it runs. */
export const COMMANDS: Commands = {
  setup: async () => (await import("./fixtures/setup/main.ts")).setup,
  certify: async () => (await import("./fixtures/runner/certify.ts")).certify,
  gate: async () => (await import("./fixtures/runner/certify.ts")).gate,
  load: async () => (await import("./load/launch/main.ts")).load,
  report: async () => (await import("./reports/main.ts")).report,
  sandbox: async () => (await import("./fixtures/sandbox-command.ts")).sandbox,
  mutants: async () => (await import("./fixtures/proof/campaign/main.ts")).mutants,
};
