/** How sure it must be that a defect would have been seen. */
const CERTAINTY = 0.95;

/**
 * The rarest defect, as "one in this many answers", that `count` judged answers would have shown with 95 % certainty;
 * `undefined` if there are too few answers for any but a defect of every answer.
 */
export function rarestSeen(count: number): number | undefined {
  if (count === 0) return undefined;
  // A defect in one of k answers stays unseen n times with the probability (1 - 1/k)^n.
  const share = 1 - (1 - CERTAINTY) ** (1 / count);
  // Without the last term, a rounding error could lower the result by one.
  return Math.floor(1 / share + 1e-9);
}
