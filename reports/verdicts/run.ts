import { z } from "zod";
import type { buildVerdicts } from "../build-verdicts.ts";
import type { Frozen } from "./verdict.ts";
import { Waiver } from "./waivers.ts";

/** What is known before the first check of a run. */
export const RunStarted = z.object({
  type: z.literal("run"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.string(),
    environment: z.enum(["sandbox", "live"]),
    embedded: z.boolean(),
    pathForms: z.record(z.string(), z.enum(["bare", "prefixed"])),
  }),
  startedAt: z.iso.datetime(),
  pid: z.number().exactOptional(),
  seed: z.number(),
  command: z.enum(["certify", "gate"]),
  /** The command with its options, as the operator typed it. */
  commandLine: z.string(),
  strict: z.boolean(),
  /** Judged by the letter of the specification alone (`--letter`): critical findings only warn. */
  letter: z.boolean(),
  selected: z.boolean(),
  outOfScope: z.array(z.string()),
  waivers: z.array(Waiver),
  validDays: z.number(),
});
export type RunStarted = Frozen<z.infer<typeof RunStarted>>;

export const VERDICTS_FILE = "verdicts.json";

/** What `verdicts.json` repeats of the beginning of its run. */
export const Known = RunStarted.omit({ type: true, pid: true, command: true, commandLine: true });

/** The content of `verdicts.json`. */
export type Verdicts = ReturnType<typeof buildVerdicts>;
