import { fileURLToPath } from "node:url";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { readChecklist } from "./checklist.ts";

/** The folder of the checks, as vite writes paths on every system. */
export const SUITES = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/");

/**
 * The phases of a run, in order. They never overlap: the suite's own writes must not move the lists that it judges.
 * Of all transfers that must be refused, one goes first. Lists that were too short are judged again once the writes have
 * filled them, what is asked again is asked late, and the many bad keys, which may lock a client out, come last. At the end,
 * what all checks met is reported once, and when the last write has settled, what was paid, and may have been paid, is looked up.
 */
export const PHASES = [
  "reads",
  "canary",
  "refusals",
  "writes",
  "settling",
  "second-looks",
  "questions",
  "authentication",
  "answers",
  "last-looks",
] as const;

export type Phase = (typeof PHASES)[number];

/** The modules of phases that every run loads. */
const MODULES: Readonly<Partial<Record<Phase, readonly string[]>>> = {
  "second-looks": ["after-writes/second-looks.ts"],
  "last-looks": ["end-of-run/final-looks.ts"],
};

/** The folders of checks that belong to one phase. */
const FOLDERS: Readonly<Record<string, Phase>> = {
  lists: "reads",
  "first-rejection": "canary",
  "statuses-and-bodies": "refusals",
  "after-writes": "settling",
  values: "settling",
  repeatability: "questions",
  authentication: "authentication",
  "all-responses": "answers",
  "end-of-run": "last-looks",
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
