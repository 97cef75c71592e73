import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Sandbox } from "../../../fixtures/sandbox/service/server.ts";

const LOOK_MS = 10;
/** Nothing comes from a command that is gone, and from what it started, once nothing has come for so long. */
const QUIET_MS = 1000;

/** Kills a process, which cannot prevent it, so many milliseconds after a sandbox got its first transfer. */
export async function killAfterPayment(child: ChildProcess, { log }: Sandbox, milliseconds: number) {
  const isPaying = () => log.some(({ operation, bytes }) => operation === "createTransfer" && bytes > 0);
  while (child.exitCode === null && !isPaying()) await pause(LOOK_MS);
  await pause(milliseconds);
  child.kill("SIGKILL");
}

/** Waits until a sandbox gets no more requests. */
export async function untilQuiet({ log }: Sandbox) {
  for (let seen = -1; seen !== log.length; await pause(QUIET_MS)) seen = log.length;
}
