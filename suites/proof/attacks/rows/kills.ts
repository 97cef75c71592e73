import { createHash } from "node:crypto";
import type { Attack } from "../attack.ts";

/** As many moments for each command, the same in every run. */
const KILLS = 20;
/** A run that pays lasts about so long after its first payment. */
const LONGEST_MS = { certify: 4000, load: 3000 } as const;

const moment = (command: "certify" | "load", number: number) =>
  createHash("sha256").update(`${command} ${number}`).digest().readUInt32BE() % LONGEST_MS[command];

const numbers = Array.from({ length: KILLS }, (_, index) => index + 1);

/** Commands that are killed while they pay, and started again: all that was paid stands in the ledger. */
export const KILLED: readonly Attack[] = [
  ...numbers.map(
    (number): Attack => ({
      name: `kill/certify-${number}`,
      area: 2,
      ...(number === 1 && { fast: true }),
      victim: "createTransfer",
      killedAfter: moment("certify", number),
      select: "createTransfer/*,listTransfers/accepted",
      // What the killed run left open is counted, so that some checks may have no budget.
      exit: [0, 1, 4],
      seconds: 120,
    }),
  ),
  ...numbers.map(
    (number): Attack => ({
      name: `kill/load-${number}`,
      area: 2,
      victim: "createTransfer",
      command: "load",
      killedAfter: moment("load", number),
      args: ["transfers", "--profile", "smoke"],
      variables: { RATE: "20", DURATION: "3s" },
      exit: [0, 4],
      seconds: 120,
    }),
  ),
];
