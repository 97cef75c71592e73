import { isIndeterminate } from "../k6/outcome.ts";
import type { Entry } from "./journal.ts";

/** All answers to one transfer reference. */
export interface Transfer {
  readonly reference: string;
  readonly accepted: boolean;
  /** Not accepted, and the target may have carried it out without telling. */
  readonly unknown: boolean;
  /** Different identifiers among the accepted answers. */
  readonly identifiers: readonly (string | number)[];
}

/** Gathers answers by reference; `unanswered` references may have been sent, but nothing came back. */
export function transfersOf(entries: readonly Entry[], unanswered: readonly string[]): Transfer[] {
  const answers = groupBy(entries, ({ reference }) => reference);
  for (const reference of unanswered) if (!answers.has(reference)) answers.set(reference, []);
  return [...answers].map(([reference, found]) => {
    const accepted = found.filter(({ outcome }) => outcome === "accepted");
    const identifiers = accepted.flatMap(({ identifier }) => (identifier === null ? [] : [identifier]));
    const indeterminate = found.length === 0 || found.some(isOpen);
    return {
      reference,
      accepted: accepted.length > 0,
      unknown: accepted.length === 0 && indeterminate,
      identifiers: [...new Set(identifiers)],
    };
  });
}

/** Whether the request may have been carried out; a refusal that carries an identifier may be a recorded transfer. */
const isOpen = ({ outcome, identifier }: Entry) => isIndeterminate(outcome) || identifier !== null;

/** Gathers values under a key, in order. */
export function groupBy<V, K>(values: Iterable<V>, key: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group) group.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
