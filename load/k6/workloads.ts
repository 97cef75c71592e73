import type { OperationName } from "./generated/requests.ts";

export interface Step {
  readonly operation: OperationName;
  /** The share of this step, relative to the other steps of its workload. */
  readonly weight: number;
  /** Uses the reference that was created this many creations ago instead of a new one. */
  readonly creationsAgo?: number;
}

const payments = {
  qr: { operation: "createQrTransaction", weight: 35 },
  card: { operation: "createCardTransaction", weight: 20 },
  dva: { operation: "initializeVirtualAccount", weight: 12 },
  ndd: { operation: "createNddTransaction", weight: 3 },
} as const satisfies Record<string, Step>;

/** The mix of each workload; `creationsAgo` counts back over its first step. */
export const workloads = {
  transfers: [
    { operation: "createTransfer", weight: 70 },
    // The previous request may still be running: a retry that races with its original.
    { operation: "createTransfer", weight: 4, creationsAgo: 1 },
    { operation: "createTransfer", weight: 6, creationsAgo: 12 },
    { operation: "listTransfers", weight: 20, creationsAgo: 6 },
  ],
  transactions: [payments.qr, payments.card, payments.dva, payments.ndd],
  qr: [payments.qr],
  card: [payments.card],
  dva: [payments.dva],
  ndd: [payments.ndd],
} as const satisfies Record<string, readonly [Step, ...Step[]]>;

export type WorkloadName = keyof typeof workloads;

export const workloadNames = Object.keys(workloads) as WorkloadName[];
