import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { outputOf, start } from "./processes.ts";

/** The newest that runs on Node 20. */
const PRISM = "@stoplight/prism-cli@5.14.2";
const CONTRACT = fileURLToPath(new URL("../../schemas/openapi.json", import.meta.url));
const MOST_SECONDS = 600;

/** Another service that runs in a process of its own. */
export interface Service {
  readonly pid: number | undefined;
  readonly origin: string;
}

/** Installs Prism into a folder and lets it mock the contract for as long as `use` takes. */
export async function withPrism<T>(folder: string, use: (prism: Service) => Promise<T>): Promise<T> {
  // npm may need the variables of a proxy or a registry.
  const env = { ...process.env } as Record<string, string>;
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const installation = {
    path: "npm",
    args: ["install", "--prefix", folder, ...flags, PRISM],
    env,
    seconds: 300,
  };
  await outputOf(start(installation), installation);
  const port = await freePort();
  const cli = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const args = [
    cli,
    "mock",
    "--host",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--verboseLevel",
    "silent",
    CONTRACT,
  ];
  const child = start({ path: process.execPath, args, env, seconds: MOST_SECONDS });
  child.stdout?.resume();
  child.stderr?.resume();
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilAnswering(origin);
    return await use({ pid: child.pid, origin });
  } finally {
    child.kill("SIGKILL");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function untilAnswering(origin: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      await fetch(origin);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}
