const DIGITS = 7;

/** How many iterations of a run can have a reference. */
export const MAX_ITERATIONS = 10 ** DIGITS;

/**
 * The reference that iteration `iteration` of run `runId` creates. All references have the same length, so none is
 * part of another, and every possible reference is known before the first request.
 */
export function referenceOf(runId: string, iteration: number): string {
  return `load-${runId}-${String(iteration).padStart(DIGITS, "0")}`;
}

/** The reference of the one transfer that is sent before the load, to see how this deployment lists a payout. */
export const controlReference = (runId: string) => `load-${runId}-control`;

/** A reference that is never sent, to see what the list returns for a transfer that does not exist. */
export const unusedReference = (runId: string) => `load-${runId}-nothing`;
