/** Groups `items` by their `key`, in the order in which the keys first appear. */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Every pair of the items, in their order. */
export const pairsOf = <T>(items: readonly T[]): [earlier: T, later: T][] =>
  items.flatMap((earlier, index) => items.slice(index + 1).map((later): [T, T] => [earlier, later]));
