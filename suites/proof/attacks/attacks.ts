import type { Attack } from "./attack.ts";
import { DEPLOYMENTS } from "./rows/deployments.ts";
import { FLOODS } from "./rows/floods.ts";
import { LOADS } from "./rows/loads.ts";
import { MONEY } from "./rows/money.ts";
import { RESPONSES } from "./rows/responses.ts";
import { TEXTS } from "./rows/texts.ts";

/** Blocks the thread of the checks for ever, soon after its first check has opened the ledger. */
const BLOCKER = `
import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
const block = () => { for (;;); };
const look = () => existsSync("reports/ledger/t.jsonl") && setTimeout(block, 1500);
if (!isMainThread) setInterval(look, 50).unref();
`;

/** A defect of the suite that lets it work for ever: the launcher ends the run with what it has. */
const BLOCKED: Attack = {
  name: "blocked/worker",
  victim: "every",
  select: "*",
  files: { "block.mjs": BLOCKER },
  variables: { NODE_OPTIONS: "--import=./block.mjs", TARGET_NAME: "t" },
  exit: [70],
  says: /has blocked the worker for 60 s/,
  seconds: 150,
};

/** Every attack on the suite. */
export const ATTACKS: readonly Attack[] = [
  ...RESPONSES,
  ...FLOODS,
  ...DEPLOYMENTS,
  ...MONEY,
  ...TEXTS,
  ...LOADS,
  BLOCKED,
];
