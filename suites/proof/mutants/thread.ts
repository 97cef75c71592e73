import { parentPort, Worker, workerData } from "node:worker_threads";
import { Run, type RunSettings } from "../../../fixtures/engine/run/run.ts";
import type { RunEvent } from "../../../reports/events/events.ts";
import { runChecks } from "../../runner/run-checks.ts";

/** What the thread sends: an event of one run, and a defect that ends it. */
type Message = { readonly runId: string; readonly event: RunEvent } | { readonly defect: string };

/** Runs the checks of these runs in a thread of their own, so that the sandboxes of this one answer meanwhile. */
export function runInThread(
  runs: readonly RunSettings[],
  onEvent: (runId: string, event: RunEvent) => void,
): Promise<void> {
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), { workerData: runs });
  const defect = (text: string) => {
    for (const { runId } of runs) onEvent(runId, { type: "problem", kind: "suite", text });
  };
  worker.on("message", (message: Message) => {
    if ("defect" in message) defect(message.defect);
    else onEvent(message.runId, message.event);
  });
  return new Promise((resolve) => {
    worker.on("error", (error) => defect(`the thread of the checks broke: ${error}`));
    worker.on("exit", () => resolve());
  });
}

/** What runs in the thread. */
export async function runHere() {
  const send = (message: Message) => parentPort?.postMessage(message);
  process.on("uncaughtException", ({ message }) => send({ defect: `unhandled error: ${message}` }));
  const runs = (workerData as readonly RunSettings[]).map((settings) => new Run(settings));
  await runChecks(runs, (runId, event) => send({ runId, event }));
  process.exit();
}
