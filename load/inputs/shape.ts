import { z } from "zod";
import { ARRIVALS, type Profile, shaped } from "../k6/traffic/profiles.ts";
import { readJsonInput } from "./input-file.ts";

const DAY_SECONDS = 86_400;
const MAX_RATE = 100_000;

const Stage = z.strictObject({
  seconds: z.number().min(0).max(DAY_SECONDS),
  rate: z.number().min(0).max(MAX_RATE),
});

/** The shape of a load, as `--shape` takes it. */
const Shape = z
  .strictObject({
    stages: z.array(Stage).min(1, "a shape needs at least one stage").max(200),
    arrivals: z.enum(ARRIVALS).default("constant"),
  })
  .superRefine(({ stages }, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", path: ["stages"], message });
    if (stages.every(({ rate }) => rate === 0)) problem("no stage has a rate above 0");
    if (stages.every(({ seconds }) => seconds === 0)) problem("no stage lasts any time");
  });

/** Reads a shape of the operator's own; throws a `CommandError` (2) with the place of each problem. */
export function readShape(path: string): Profile {
  const { stages, arrivals } = readJsonInput("--shape", path, Shape);
  return shaped(stages, arrivals);
}
