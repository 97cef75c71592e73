import { rmSync, statSync } from "node:fs";
import type { Command } from "./command-line/command.ts";
import { defineCommand, FLAG, wholeNumber } from "./command-line/define-command.ts";
import { groupBy } from "./grouping.ts";
import { earlierRuns, OUT } from "./run-folders.ts";
import { plural } from "./wording.ts";

const KEPT = 10;

/** A run without a result that was active within this time may still be under way. */
const UNDER_WAY_MS = 60 * 60_000;

/** Removes the folders of older runs. */
export const clean: Command = defineCommand({
  name: "clean",
  about: "Removes the folders of older runs, of checks and of load. The ledger stays.",
  options: {
    keep: { type: "string", about: `number of runs of each kind that stay, the newest (default ${KEPT})` },
    out: { type: "string", default: OUT, about: `folder of the runs (default ${OUT})` },
    "dry-run": { ...FLAG, about: "only show what would be removed" },
  },
  run: ({ values }) => {
    const keep = wholeNumber("keep", values.keep) ?? KEPT;
    const kinds = groupBy(earlierRuns(values.out), ({ kind }) => kind);
    const isUnderWay = (path: string) => Date.now() - statSync(path).mtimeMs < UNDER_WAY_MS;
    const surplus = [...kinds.values()]
      .flatMap((runs) => runs.slice(keep))
      .filter(({ ended, path }) => ended || !isUnderWay(path));
    if (!values["dry-run"]) for (const { path } of surplus) rmSync(path, { recursive: true, force: true });
    const did = values["dry-run"] ? "Would remove" : "Removed";
    const names = values["dry-run"] ? surplus.map(({ path }) => `\n  ${path}`).join("") : "";
    return `${did} ${plural(surplus.length, "run")} below ${values.out}; the newest ${keep} of each kind stay.${names}`;
  },
});
