/** No list of a test deployment has more pages. */
const FARTHEST = 1 << 16;

/**
 * Finds the last page that has items, counted from 0, with few reads: it doubles its steps until a page is empty, then
 * halves them. `known` is a page that has items; an API that repeats its last page for ever ends at the farthest page.
 */
export async function lastFilledPage(
  known: number,
  isFilled: (page: number) => Promise<boolean>,
): Promise<number> {
  let filled = known;
  let empty = Math.max(1, known) * 2;
  while (empty < FARTHEST && (await isFilled(empty))) [filled, empty] = [empty, empty * 2];
  while (empty - filled > 1) {
    const middle = Math.floor((filled + empty) / 2);
    if (await isFilled(middle)) filled = middle;
    else empty = middle;
  }
  return filled;
}
