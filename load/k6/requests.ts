import type { OperationId } from "../../schemas/contract.ts";

/** One kind of request of a workload. */
export interface Step {
  readonly operation: OperationId;
  /** The share of this step, relative to the other steps of its workload. */
  readonly weight: number;
  /** Uses the reference of the transfer that was created this many transfers ago instead of a new one. */
  readonly creationsAgo?: number;
  /** Asks for a documented rejection: the id of the condition in the contract that makes the request wrong. */
  readonly refusal?: string;
}

/** The steps of a workload. */
export type Steps = readonly Step[];

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
  readers: [
    { operation: "listTransfers", weight: 60 },
    { operation: "listCustomers", weight: 20 },
    { operation: "listRecipients", weight: 10 },
    { operation: "listDiscountCodes", weight: 10 },
  ],
} as const satisfies Readonly<Record<string, Steps>>;

export type WorkloadName = keyof typeof MIXES;

/** The mixes that have a name. Their shares are a judgement: `--mix` takes others. */
export const workloads: Readonly<Record<WorkloadName, Steps>> = MIXES;

/** Whether the requests of a step create the transfer that later steps repeat or look up. */
export const createsTransfer = ({ operation, creationsAgo }: Step) =>
  operation === "createTransfer" && creationsAgo === undefined;

/** An account may be open already for an address that a load, or an earlier one, has named before. */
const ONCE_FOR_EACH_RECORD = "initializeVirtualAccount";

/** Whether the API may reject a request of a step, which includes a lookup of what is not listed yet (404). */
export function mayBeRejected(step: Step, status: number): boolean {
  const { operation, refusal, creationsAgo } = step;
  if (refusal !== undefined || operation === ONCE_FOR_EACH_RECORD) return true;
  return creationsAgo !== undefined && (operation === "createTransfer" || status === 404);
}

/** Knows the request of every iteration of a workload, so that a run is known before it starts. */
export class Schedule<S extends Step = Step> {
  readonly #cycle: readonly S[];
  /** The places of the cycle that create transfers. */
  readonly #creations: readonly number[];
  readonly #created: readonly number[];
  /** The places of those that a later step repeats. */
  readonly #repeated: ReadonlySet<number>;

  /** A workload has at least one step. */
  constructor(steps: readonly S[]) {
    this.#cycle = interleave(steps);
    this.#creations = this.#cycle.flatMap((step, place) => (createsTransfer(step) ? [place] : []));
    this.#created = this.#cycle.map((_, place) => this.#creations.filter((one) => one < place).length);
    const { length } = this.#creations;
    this.#repeated = new Set(
      this.#cycle.flatMap(({ operation, creationsAgo: ago }, place) => {
        if (operation !== "createTransfer" || ago === undefined || length === 0) return [];
        // The cycle repeats, so its first steps go back to the end of the one before, and those of the run to its first transfer.
        const number = (this.#created[place] ?? 0) - (ago % length) + length;
        return [this.#creations[number % length] ?? 0, this.#creations[0] ?? 0];
      }),
    );
  }

  /** The step of an iteration, and the one whose reference its request has: itself or, for a repeat or a lookup, an earlier one. */
  requestAt(iteration: number) {
    const step = this.#cycle[iteration % this.#cycle.length] as S;
    const { creationsAgo: ago } = step;
    if (ago === undefined) return { step, origin: iteration };
    // The first one of the run, or a reference of its own, if there are fewer.
    return { step, origin: Math.min(iteration, this.#creation(this.#creationsBefore(iteration) - ago)) };
  }

  /** Whether a later request repeats the transfer of an iteration: the API may carry out that one first, and reject this one. */
  isRepeated(iteration: number): boolean {
    return this.#repeated.has(iteration % this.#cycle.length);
  }

  /** Counts the requests of each operation of the workload in the first `iterations` iterations, or some of them. */
  requestsIn(iterations: number, counts: (step: S) => boolean = () => true) {
    const { length } = this.#cycle;
    const requests: Partial<Record<Step["operation"], number>> = {};
    this.#cycle.forEach((step, slot) => {
      const times = counts(step) ? Math.ceil(Math.max(0, iterations - slot) / length) : 0;
      requests[step.operation] = (requests[step.operation] ?? 0) + times;
    });
    return requests;
  }

  /** The iterations that it takes to send every operation of the workload at least once. */
  get minIterations(): number {
    const operations = this.#cycle.map(({ operation }) => operation);
    return Math.max(...operations.map((operation) => operations.indexOf(operation))) + 1;
  }

  #creationsBefore(iteration: number): number {
    const { length } = this.#cycle;
    const whole = Math.floor(iteration / length) * this.#creations.length;
    return whole + (this.#created[iteration % length] ?? 0);
  }

  #creation(number: number): number {
    const { length } = this.#creations;
    if (length === 0) return Infinity;
    const count = Math.max(0, number);
    return Math.floor(count / length) * this.#cycle.length + (this.#creations[count % length] ?? 0);
  }
}

/** One cycle: each step as often as its weight says, spread as evenly as possible, the heaviest first. */
function interleave<S extends Step>(steps: readonly S[]): S[] {
  const due = steps.map((step) => ({ step, credit: 0 }));
  const length = steps.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length }, () => {
    for (const entry of due) entry.credit += entry.step.weight;
    const entry = due.reduce((best, other) => (other.credit > best.credit ? other : best));
    entry.credit -= length;
    return entry.step;
  });
}

/** The digits at the end of every reference of a run. */
export const DIGITS = 7;
/** The last numbers are for the references that no iteration has. */
const CONTROL = 10 ** DIGITS - 1;
const UNUSED = 10 ** DIGITS - 2;
const RECOVERY = 10 ** DIGITS - 3;

/** How many iterations of a run can have a reference. */
export const MAX_ITERATIONS = RECOVERY;

/** The forms of REFERENCE_FORM; each has one length, so no reference is part of another. `run` has 8 hexadecimal digits. */
const FORMS = {
  plain: (run: string, number: string) => `load-${run}-${number}`,
  uuid: (run: string, number: string) => `${run}-0000-4000-8000-${number.padStart(12, "0")}`,
  digits: (run: string, number: string) => `${Number.parseInt(run, 16)}`.padStart(10, "0") + number,
  short: (run: string, number: string) => `load${run}${number}`,
} as const;

/** A form of references: see REFERENCE_FORM. */
export type ReferenceForm = keyof typeof FORMS;

/** The references of a run; every possible one is known before the first request. */
export type References = ReturnType<typeof referencesOf>;

/** The references of the run with this id, in a form that the deployment accepts. */
export function referencesOf(runId: string, form: ReferenceForm = "plain") {
  const at = (iteration: number) => FORMS[form](runId, String(iteration).padStart(DIGITS, "0"));
  const control = at(CONTROL);
  return {
    at,
    /** That of the one transfer that is sent before the load, to see how this deployment lists a payout. */
    control,
    /** One that is never sent, to see what the list returns for a transfer that does not exist. */
    unused: at(UNUSED),
    /** That of the one transfer that is sent after the load, to see whether the API has recovered. */
    recovery: at(RECOVERY),
    /** What all of them begin with; seven digits follow. */
    prefix: control.slice(0, -DIGITS),
  };
}

/** Fields of a body that differ from request to request, by operation. Every request takes one record. */
export type Pools = Readonly<Record<string, readonly Fields[]>>;

type Fields = Readonly<Record<string, string | number>>;

/** 2^32 divided by the golden ratio. */
const STEP = 0x9e3779b1;

/** The record of an iteration, if there are any; any regular part of the iterations is spread over the whole pool. */
export const recordAt = (records: readonly Fields[], iteration: number): Fields | undefined =>
  records[Math.floor(((Math.imul(iteration, STEP) >>> 0) / 2 ** 32) * records.length)];

/** A read that is always the same. */
export interface Read {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request of one step. */
export interface Template extends Read {
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The reference in the URL and in the body, in the place of which each request has its own, if any. */
  readonly reference?: string;
}

/** Makes what fills in the URL and the body of a request of the iteration `origin`. */
export function fillerOf({ url, body, reference: draft }: Template, records: readonly Fields[] = []) {
  return (reference: string, origin: number) => {
    const named = (text: string) => (draft === undefined ? text : text.replaceAll(draft, reference));
    const filled = body && JSON.stringify({ ...body, ...recordAt(records, origin) });
    return { url: named(url), body: filled && named(filled) };
  };
}
