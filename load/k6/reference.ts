const DIGITS = 7;

/** Iterations that references can number. */
export const MAX_ITERATIONS = 10 ** DIGITS;

/**
 * The reference that iteration `iteration` of run `runId` creates. All are of one length, so none is part of
 * another, and every reference that can exist is known before the first request.
 */
export function referenceOf(runId: string, iteration: number): string {
  return `load-${runId}-${String(iteration).padStart(DIGITS, "0")}`;
}

/** The transfer that is sent once, before the load: what one payout looks like in the list of this deployment. */
export const controlReference = (runId: string) => `load-${runId}-control`;

/** A reference that is never sent: what the list shows for a transfer that does not exist. */
export const unusedReference = (runId: string) => `load-${runId}-nothing`;
