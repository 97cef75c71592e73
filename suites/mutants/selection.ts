import { badPractices } from "../../fixtures/sandbox/bad-practices/bad-practices.ts";
import { faults } from "../../fixtures/sandbox/faults/faults.ts";
import { ONCE_BLAMED } from "../../fixtures/sandbox/variations/once-blamed.ts";
import { variations } from "../../fixtures/sandbox/variations/variations.ts";
import { CommandError } from "../../reports/text/command.ts";
import { glob } from "../runner/glob.ts";
import type { Catalogue } from "./catalogue.ts";
import type { MutantOptions } from "./options.ts";

/** How many ids an error message lists. */
const MOST_SHOWN = 10;

/** Names, as a pattern, the variations that a strict reading would blame. */
const BLAMED = "once-blamed";

/** Everything that a sandbox can be started with. */
export const EVERYTHING: Catalogue = { faults, badPractices, variations };

/** What the options ask for, and everything if they name nothing; throws a {@link CommandError} (2) if a pattern matches nothing. */
export function selectMutants({ fault, badPractice, variation }: MutantOptions): Catalogue {
  if ([fault, badPractice, variation].every((pattern) => pattern === undefined)) return EVERYTHING;
  return {
    faults: select("fault", faults, fault),
    badPractices: select("bad-practice", badPractices, badPractice),
    variations: select("variation", variations, variation),
  };
}

/** Whether a selection leaves out no fault and no bad practice, so that checks that never turn red can be named. */
export const isComplete = (selection: Catalogue) =>
  selection.faults.length === faults.length && selection.badPractices.length === badPractices.length;

const blamed = Object.values(ONCE_BLAMED).flat();

function select<T extends { readonly id: string }>(
  kind: string,
  all: readonly T[],
  pattern: string | undefined,
): readonly T[] {
  if (pattern === undefined) return [];
  const patterns = pattern
    .split(",")
    .flatMap((one) => (one === BLAMED ? blamed : [one]))
    .map(glob);
  const chosen = all.filter(({ id }) => patterns.some((matches) => matches(id)));
  if (chosen.length > 0 || pattern === "*") return chosen;
  const words = pattern.split(/[^a-z]+/i).filter((word) => word.length > 2);
  const alike = all.filter(({ id }) => words.some((word) => id.includes(word)));
  const shown = (alike.length > 0 ? alike : all).slice(0, MOST_SHOWN).map(({ id }) => id);
  throw new CommandError(2, [
    `--${kind} ${pattern} matches none of the ${all.length} ids: give an id or a pattern, such as ${shown.join(", ")}`,
  ]);
}
