import { onTestFinished } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import { type SandboxOptions, startSandbox } from "../../fixtures/sandbox/service/server.ts";

/** Starts a sandbox, and makes the client of a run against it; both end with the running test. */
export async function sandboxClient(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  const target = parseTarget({ variables: sandbox.env, embedded: true });
  const client = new Client(target, "0123abcd");
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  return { client, sandbox };
}
