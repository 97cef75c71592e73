import type { Attack } from "../attack.ts";

/** Blocks the worker of the checks, and it alone, for ever. */
const BLOCKER = `
import { isMainThread } from "node:worker_threads";
if (!isMainThread) setTimeout(() => { for (;;); }, 1500);
`;

/** A defect of the suite that lets it work for ever: the launcher ends the run with what it has. */
export const BLOCKED: readonly Attack[] = [
  {
    name: "blocked/worker",
    area: 3,
    victim: "every",
    select: "*",
    files: { "block.mjs": BLOCKER },
    variables: { NODE_OPTIONS: "--import=./block.mjs" },
    exit: [70],
    says: /has blocked the worker for 60 s/,
    seconds: 150,
  },
];
