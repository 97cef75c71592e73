import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

/** 40 s on an idle machine, and room for a busy one. */
const LONGEST_MS = 5 * 60_000;

it(
  "catches one fault for each file of checks",
  async () => {
    const { code, output } = await run(["--sample"]);

    expect(output).toMatch(/^(\d{2}) of \1 faults are caught as the record says\n0 complaints, seed 1\n$/);
    expect(code).toBe(0);
  },
  LONGEST_MS,
);

it(
  "exits 2 if a pattern matches nothing",
  async () => {
    const { code, output } = await run(["--fault", "no-such-fault"]);

    expect(output).toMatch(/^--fault no-such-fault matches none of/);
    expect(code).toBe(2);
  },
  LONGEST_MS,
);

async function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const script = new URL("./main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    // vitest puts variables into the environment that would reach the vitest of the command.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_config_|NODE_ENV$|MODE$)/.test(name)),
    ),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: stderr + stdout };
}
