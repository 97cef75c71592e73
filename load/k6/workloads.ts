import type { OperationName } from "./generated/requests.ts";

/** One kind of request in a mix. */
export interface Step {
  readonly operation: OperationName;
  /** Share of this step, relative to the other steps of its workload. */
  readonly weight: number;
  /** Uses the reference that was created this many creations ago instead of one of its own. */
  readonly back?: number;
}

const payments = {
  qr: { operation: "createQrTransaction", weight: 35 },
  card: { operation: "createCardTransaction", weight: 20 },
  dva: { operation: "initializeVirtualAccount", weight: 12 },
  ndd: { operation: "createNddTransaction", weight: 3 },
} as const satisfies Record<string, Step>;

/** The mixes; the first step of a mix is the one that creates what `back` looks back to. */
export const workloads = {
  transfers: [
    { operation: "createTransfer", weight: 70 },
    // The request just before may still run: a retry that races with its original.
    { operation: "createTransfer", weight: 4, back: 1 },
    { operation: "createTransfer", weight: 6, back: 12 },
    { operation: "listTransfers", weight: 20, back: 6 },
  ],
  transactions: [payments.qr, payments.card, payments.dva, payments.ndd],
  qr: [payments.qr],
  card: [payments.card],
  dva: [payments.dva],
  ndd: [payments.ndd],
} as const satisfies Record<string, readonly [Step, ...Step[]]>;

export type WorkloadName = keyof typeof workloads;

export const workloadNames = Object.keys(workloads) as WorkloadName[];
