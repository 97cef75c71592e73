import { fileURLToPath } from "node:url";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { readChecklist } from "./checklist.ts";

/** The folder of the checks, as vite writes paths on every system. */
export const SUITES = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/");

/**
 * The phases of a run, in order. They never overlap: the suite's own writes must not move the lists that it judges.
 * Of all transfers that must be refused, one goes first. Lists that were too short are read again once the writes have
 * filled them, and requests are repeated late. The many bad keys, which may lock a client out, come after everything
 * that needs a key. Then all responses of the run are judged, and when the last write has settled, what was paid.
 */
export const PHASES = [
  "reads",
  "first-rejection",
  "probes",
  "writes",
  "after-writes",
  "reruns",
  "repeats",
  "bad-keys",
  "late",
  "final",
] as const;

export type Phase = (typeof PHASES)[number];

/** The modules of phases that every run loads. */
const MODULES: Readonly<Partial<Record<Phase, readonly string[]>>> = {
  reruns: ["every-operation/reruns.ts"],
  final: ["every-operation/all-responses/final-looks.ts"],
};

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

/**
 * Modules that exist only in vite. Each imports the files of one phase, so that all checks of a phase run side by side;
 * as files of their own, vitest would run them one after the other, and each would wait for its slowest check.
 */
export class PhaseModules {
  readonly #contents = new Map<string, string>();

  /** The plugin with which vite finds the modules. */
  readonly plugin = {
    name: "phase-modules",
    enforce: "pre" as const,
    resolveId: (path: string) => (this.#contents.has(nameOf(path)) ? path : undefined),
    load: (path: string) => this.#contents.get(nameOf(path)),
  };

  /**
   * Declares the modules of some files of checks, whose names are relative to suites/; returns the modules' paths in the
   * order of the phases. vite keeps what it has loaded, so other files of the same phase need another `suffix`.
   */
  declare(files: Iterable<string>, suffix = ""): string[] {
    const phases = phasesOf(readChecklist());
    const sorted = [...new Set(files)].toSorted();
    return PHASES.flatMap((phase) => {
      const own = [...(MODULES[phase] ?? []), ...sorted.filter((file) => phases.get(file) === phase)];
      if (own.length === 0) return [];
      const name = `${phase}${suffix}.phase.ts`;
      this.#contents.set(name, own.map((file) => `import ${JSON.stringify(SUITES + file)};`).join("\n"));
      return [SUITES + name];
    });
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
