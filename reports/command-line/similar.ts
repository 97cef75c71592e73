/** The known name that `name` is probably a misspelling of; `undefined` if none is close. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const typed = new Set(variants(name));
  // A short name resembles too many others.
  return known.find((other) => other.length > 3 && variants(other).some((variant) => typed.has(variant)));
}

/** A name, and what is left of it without one of its letters, or with two neighbours swapped. */
const variants = (name: string): string[] => [
  name,
  ...[...name].flatMap((letter, place) => {
    const [before, after] = [name.slice(0, place), name.slice(place + 1)];
    return [before + after, before + after.charAt(0) + letter + after.slice(1)];
  }),
];

/** Says that a name is unknown, which one may be meant, and which ones there are. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = similarName(given, known);
  const allowed = known.length > 0 ? `expected one of ${known.join(", ")}` : "there is none";
  return `unknown ${what}: ${given}${meant ? ` (did you mean ${meant}?)` : ""}; ${allowed}`;
}
