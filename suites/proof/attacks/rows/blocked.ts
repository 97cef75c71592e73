import type { Attack } from "../attack.ts";

/** Blocks the worker of the checks for ever, soon after its first check has opened the ledger. */
const BLOCKER = `
import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
const block = () => { for (;;); };
const look = setInterval(() => {
  if (!existsSync("reports/ledger/t.jsonl")) return;
  clearInterval(look);
  setTimeout(block, 1500);
}, 50);
look.unref();
if (isMainThread) clearInterval(look);
`;

/** A defect of the suite that lets it work for ever: the launcher ends the run with what it has. */
export const BLOCKED: readonly Attack[] = [
  {
    name: "blocked/worker",
    area: 3,
    victim: "every",
    select: "*",
    files: { "block.mjs": BLOCKER },
    variables: { NODE_OPTIONS: "--import=./block.mjs", TARGET_NAME: "t" },
    exit: [70],
    says: /has blocked the worker for 60 s/,
    seconds: 150,
  },
];
