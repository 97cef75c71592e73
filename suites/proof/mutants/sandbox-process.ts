import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import { variations as allVariations } from "../../../fixtures/mutants/variations/variations.ts";
import { type Sandbox, startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import type { Answer, Question } from "./sandbox-host.ts";

// A process that starts and closes sandboxes for another one, and ends with it.

const sandboxes = new Map<number, Sandbox>();

process.on("message", async (question: Question) => {
  const answered = await answer(question).catch((error: unknown) => ({ id: question.id, error: `${error}` }));
  process.send?.(answered);
});
process.on("disconnect", () => process.exit());
// Ctrl-C reaches the whole group; the campaign ends first, and this process with it.
process.on("SIGINT", () => {});

async function answer(question: Question): Promise<Answer> {
  const { id } = question;
  if (question.ask === "start") {
    const { seed, fault, variations } = question;
    const sandbox = await startSandbox({
      seed,
      variations: variations.map((one) => known(allVariations, one)),
      ...(fault !== undefined && { fault: known(faults, fault) }),
    });
    sandboxes.set(id, sandbox);
    return { id, env: sandbox.env };
  }
  const sandbox = sandboxes.get(question.sandbox);
  sandboxes.delete(question.sandbox);
  await sandbox?.close();
  const log = (sandbox?.log ?? []).map(({ requestId, operation, path, error }) => ({
    requestId,
    operation,
    path,
    error,
  }));
  return { id, log };
}

function known<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`no sandbox can be started with ${id}`);
  return found;
}
