/** The known name that `name` is probably a misspelling of; `undefined` if none is close. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((other) => ({ other, distance: distanceBetween(name, other) }));
  const [nearest] = distances.toSorted((one, two) => one.distance - two.distance);
  if (!nearest) return undefined;
  const { length } = nearest.other;
  const tolerated = length <= 3 ? 0 : length <= 5 ? 1 : 2;
  return nearest.distance <= tolerated ? nearest.other : undefined;
}

/** Says that a name is unknown, which one may be meant, and which ones there are. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = similarName(given, known);
  const allowed = known.length > 0 ? `expected one of ${known.join(", ")}` : "there is none";
  return `unknown ${what}: ${given}${meant ? ` (did you mean ${meant}?)` : ""}; ${allowed}`;
}

/** The number of letters to insert, delete, replace, or swap with their neighbour. */
function distanceBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(one.length, other.length);
}
