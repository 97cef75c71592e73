import type { OperationId } from "../../../schemas/contract.ts";

/** One kind of request of a workload. */
export interface Step {
  readonly operation: OperationId;
  /** The share of this step, relative to the other steps of its workload. */
  readonly weight: number;
  /** Uses the reference of the transfer that was created this many transfers ago instead of a new one. */
  readonly creationsAgo?: number;
  /** Asks for a documented rejection: the id of the condition in the contract that makes the request wrong. */
  readonly refusal?: string;
  /** Names a record that does not exist, or a custom link that a page has, so the API may reject the request. */
  readonly names?: (typeof NAMES)[number];
}

export const NAMES = ["unknown", "taken"] as const;

/** The steps of a workload. */
export type Steps = readonly [Step, ...Step[]];

const qr = { operation: "createQrTransaction", weight: 35 } as const satisfies Step;
const card = { operation: "createCardTransaction", weight: 20 } as const satisfies Step;
const dva = { operation: "initializeVirtualAccount", weight: 12 } as const satisfies Step;
const ndd = { operation: "createNddTransaction", weight: 3 } as const satisfies Step;

const MIXES = {
  transactions: [qr, card, dva, ndd],
  transfers: [
    { operation: "createTransfer", weight: 70 },
    // The previous request may still be running: a retry that races with its original.
    { operation: "createTransfer", weight: 4, creationsAgo: 1 },
    { operation: "createTransfer", weight: 6, creationsAgo: 12 },
    { operation: "listTransfers", weight: 20, creationsAgo: 6 },
  ],
  qr: [qr],
  card: [card],
  dva: [dva],
  ndd: [ndd],
  gateway: [
    qr,
    card,
    { operation: "listTransfers", weight: 15, creationsAgo: 2 },
    dva,
    { operation: "createTransfer", weight: 10 },
    ndd,
    { operation: "listCustomers", weight: 2 },
    { operation: "checkCustomLink", weight: 1 },
    { operation: "listDiscountCodes", weight: 1 },
    { operation: "listPageProducts", weight: 1 },
  ],
  payroll: [
    { operation: "createTransfer", weight: 79 },
    { operation: "createTransfer", weight: 1, creationsAgo: 1 },
    { operation: "listTransfers", weight: 18, creationsAgo: 12 },
    { operation: "listRecipients", weight: 2 },
  ],
  readers: [
    { operation: "listTransfers", weight: 60 },
    { operation: "listCustomers", weight: 20 },
    { operation: "listRecipients", weight: 10 },
    { operation: "listDiscountCodes", weight: 10 },
  ],
  safe: [
    { operation: "listTransfers", weight: 30 },
    { operation: "listCustomers", weight: 20 },
    { operation: "listRecipients", weight: 15 },
    { operation: "checkCustomLink", weight: 15 },
    { operation: "listDiscountCodes", weight: 10 },
    { operation: "refundTransaction", weight: 5, refusal: "transaction-unknown" },
    { operation: "initializeVirtualAccount", weight: 5, refusal: "email-missing" },
  ],
} as const satisfies Readonly<Record<string, Steps>>;

export type WorkloadName = keyof typeof MIXES;

/** The mixes that have a name. Their shares are a judgement: `--mix` takes others. */
export const workloads: Readonly<Record<WorkloadName, Steps>> = MIXES;

export const workloadNames = Object.keys(workloads) as WorkloadName[];
