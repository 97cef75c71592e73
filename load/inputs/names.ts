import { CommandError } from "../../reports/command-line/command.ts";
import { similarName } from "../../reports/command-line/similar.ts";

/** Says that a name is unknown, which one may be meant, and which ones there are. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = similarName(given, known);
  const allowed = known.length > 0 ? `expected one of ${known.join(", ")}` : "there is none";
  return `unknown ${what}: ${given}${meant ? ` (did you mean ${meant}?)` : ""}; ${allowed}`;
}

/** The known name that the command line gives; throws a {@link CommandError} (2) that lists all of them. */
export function oneOf<N extends string>(
  what: string,
  given: string | undefined,
  names: readonly N[],
  hint: string,
): N {
  const name = names.find((known) => known === given);
  if (name) return name;
  const problem =
    given === undefined
      ? `${what} is missing; expected one of ${names.join(", ")}`
      : unknownName(what, given, names);
  throw new CommandError(2, [`${problem}; ${hint}`]);
}
