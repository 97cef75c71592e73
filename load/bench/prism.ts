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

/** How Prism is started: as its manual says, when it logs each request, and without a log. */
const WAYS = { plain: [], silent: ["--verboseLevel", "silent"] } as const;

/** Installs Prism into a folder and lets it mock the contract, in each of the ways, for as long as `use` takes. */
export async function withPrism<T>(
  folder: string,
  use: (prism: Readonly<Record<keyof typeof WAYS, Service>>) => Promise<T>,
): Promise<T> {
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
  const cli = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const children: ReturnType<typeof start>[] = [];
  const mock = async (options: readonly string[]): Promise<Service> => {
    const port = await freePort();
    const args = [cli, "mock", "--host", "127.0.0.1", "--port", `${port}`, ...options, CONTRACT];
    const child = start({ path: process.execPath, args, env, seconds: MOST_SECONDS });
    children.push(child);
    child.stdout?.resume();
    child.stderr?.resume();
    const origin = `http://127.0.0.1:${port}`;
    await untilAnswering(origin);
    return { pid: child.pid, origin };
  };
  try {
    return await use({ plain: await mock(WAYS.plain), silent: await mock(WAYS.silent) });
  } finally {
    for (const child of children) child.kill("SIGKILL");
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
