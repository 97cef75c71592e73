import { reach } from "../../fixtures/embedded.ts";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import type { Environment } from "../../reports/command-line/command.ts";

/** The seed of the embedded sandbox: two load runs can be compared only if they have the same data. */
const SEED = 1;

/** Calls `use` with the configured target, or with the embedded sandbox. */
export async function withTarget<T>(env: Environment, use: (target: Target) => Promise<T>): Promise<T> {
  const configuration = readConfiguration({ env });
  refuseProblems(configuration, []);
  const reached = await reach(configuration, SEED);
  try {
    return await use(reached.target);
  } finally {
    await reached.close();
  }
}

/** Uses a client of a run, after the preflight has found that the target can be tested. */
export async function withClient<T>(
  target: Target,
  runId: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const { pathForms } = await preflight(target, runId);
  const client = new Client(target, runId, pathForms);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
