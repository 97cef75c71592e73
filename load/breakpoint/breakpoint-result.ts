import { z } from "zod";
import { CLIENTS } from "../k6/client.ts";
import type { Objectives } from "../k6/thresholds.ts";
import { LoadResultFile } from "../results/result.ts";
import { Cause } from "./cause.ts";

/** The findings of a search, in its folder. */
export const BREAKPOINT = "breakpoint.json";

const Sum = z.object({ count: z.number(), total: z.number() });

const Step = z.object({
  /** A ramp up to `rate`, which only says where to begin, or a run at `rate`. */
  kind: z.enum(["ramp", "hold"]),
  /** Requests per second. */
  rate: z.number().positive(),
  seconds: z.number().positive(),
  /** `repeated`: the generator was too slow, and the rate was tried once more. */
  state: z.enum(["held", "broke", "repeated", "defect", "stopped"]),
  /** The rate from which on a ramp broke. */
  from: z.number().nonnegative().exactOptional(),
  causes: z.array(Cause).readonly(),
  /** The invariants that are broken, in words. */
  defects: z.array(z.string()).readonly(),
  /** The invariants that are undecided, in words. */
  undecided: z.array(z.string()).readonly(),
  /** What limits the meaning of the run: objectives with too few responses, latencies that contain a delay of the generator. */
  notes: z.array(z.string()).readonly(),
  requests: z.int(),
  /** The money calls that may have moved something. */
  kept: Sum,
  /** The folder of its run, below that of the search. */
  folder: z.string(),
});

/** One run of a search. */
export type BreakpointStep = Readonly<z.infer<typeof Step>>;

/** `breakpoint.json`; `schema` is the version of its shape. */
export const BreakpointFile = z.object({
  schema: z.literal("payments-conformance/breakpoint@1"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: LoadResultFile.shape.target,
  workload: z.string(),
  client: z.enum(CLIENTS),
  /** The highest rate that was to be tried. */
  top: z.number().positive(),
  /** How long a rate must be held. */
  seconds: z.number().positive(),
  objectives: LoadResultFile.shape.objectives,
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  command: z.string(),
  steps: z.array(Step).readonly(),
  /** The highest rate that held and the lowest one that did not; absent if there is none. */
  bounds: z.object({ held: z.number().exactOptional(), broke: z.number().exactOptional() }),
  /** What broke at the upper bound. */
  causes: z.array(Cause).readonly(),
  /** What the search could have moved at most, and what it may have moved. */
  money: z.object({ most: Sum, kept: Sum }),
  outcome: z.enum(["found", "failed", "undecided", "interrupted", "stopped"]),
  exitCode: z.literal([0, 1, 2, 3, 4, 70, 130]),
  because: z.string(),
});

export interface Breakpoint extends Readonly<Omit<z.infer<typeof BreakpointFile>, "objectives">> {
  readonly objectives?: Objectives;
}
