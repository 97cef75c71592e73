import { contract, type OperationId } from "../../schemas/contract.ts";

/**
 * The phases of a run, in order. They never overlap, so that the suite's own writes do not move the lists that it
 * judges, and the many bad keys, which may lock a client out, come last.
 */
export const PHASES = ["reads", "refusals", "writes", "settling", "authentication", "answers"] as const;

export type Phase = (typeof PHASES)[number];

/** The folders of checks that belong to one phase. */
const FOLDERS: Readonly<Record<string, Phase>> = {
  pagination: "reads",
  protocol: "refusals",
  idempotency: "writes",
  settling: "settling",
  authentication: "authentication",
  environments: "authentication",
  answers: "answers",
};

/**
 * The phase of every file of checks. Its folder decides; in the folder of a resource, the effect of the file's
 * operations does. Throws if the checks of one file belong to different phases.
 */
export function phasesOf(
  checks: readonly { readonly file: string; readonly operation: OperationId }[],
): ReadonlyMap<string, Phase> {
  const phases = new Map<string, Phase>();
  for (const { file, operation } of checks) {
    const [folder = ""] = file.split("/");
    const phase = FOLDERS[folder] ?? (contract[operation].effect === "read" ? "reads" : "writes");
    if ((phases.get(file) ?? phase) !== phase)
      throw new Error(`${file} has checks of reads and of writes: move one kind into a file of its own`);
    phases.set(file, phase);
  }
  return phases;
}
