import { contract, type OperationId } from "../../schemas/contract.ts";

/**
 * The phases of a run, in order. They never overlap: the suite's own writes must not move the lists that it judges.
 * Of all transfers that must be refused, one goes first; so does an addition of products, before any is accepted. Lists
 * are read once the writes have filled them and nothing moves, and requests are repeated late. The many bad keys,
 * which may lock a client out, come after most of what needs a key. Then all responses of the run are judged, and so are
 * reads after a last write; when that has settled, what was paid.
 */
export const PHASES = [
  "first-rejection",
  "probes",
  "writes",
  "after-writes",
  "reads",
  "repeats",
  "bad-keys",
  "late",
  "final",
] as const;

export type Phase = (typeof PHASES)[number];

/**
 * The phase of every file of checks. A file declares it in its name, `refused-transfer.first-rejection.check.ts`;
 * without a phase there, it runs among the reads or among the writes, as the effect of its operations is. Throws if a
 * name has an unknown phase, or if the checks of one file belong to different phases.
 */
export function phasesOf(
  checks: readonly { readonly file: string; readonly operation: OperationId }[],
): ReadonlyMap<string, Phase> {
  const phases = new Map<string, Phase>();
  for (const { file, operation } of checks) {
    const phase = declaredPhase(file) ?? (contract[operation].effect === "read" ? "reads" : "writes");
    if ((phases.get(file) ?? phase) !== phase)
      throw new Error(`${file} has checks of reads and of writes: move one kind into a file of its own`);
    phases.set(file, phase);
  }
  return phases;
}

function declaredPhase(file: string): Phase | undefined {
  const [, name] = /\.([^/.]+)\.check\.ts$/.exec(file) ?? [];
  const phase = PHASES.find((one) => one === name);
  if (name && !phase)
    throw new Error(`${file} declares the phase ${name}; the phases are ${PHASES.join(", ")}`);
  return phase;
}
