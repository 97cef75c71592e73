/**
 * The phases of a run, in order. They never overlap, so that the suite's own writes do not move the lists it
 * judges, and many bad keys, which may lock a client out, come last.
 */
export const PHASES = [
  { name: "reads", files: /\/(get|list|check)-[\w-]+\.check\.ts$|^pagination\// },
  { name: "refusals", files: /^protocol\/(?!authentication|answers)/ },
  {
    name: "writes",
    files: /\/(create|add|update|initialize|refund)-[\w-]+\.check\.ts$|^idempotency\//,
  },
  { name: "settling", files: /^settling\// },
  { name: "authentication", files: /^protocol\/authentication|^environments\// },
  { name: "answers", files: /^protocol\/answers/ },
] as const;

/** The place of a file's phase; `file` is relative to suites/. Throws unless exactly one phase has it. */
export function phaseOf(file: string): number {
  const places = PHASES.flatMap(({ files }, index) => (files.test(file) ? [index] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new Error(`${file} belongs to ${places.length} phases: name or move it so that PHASES has it once`);
  }
  return place;
}
