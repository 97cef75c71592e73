import { z } from "zod";
import { unknownName } from "../../reports/command-line/command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { createsTransfer, type Steps } from "../k6/requests.ts";

/** Reads, and calls that move money: this API can delete nothing that the others create or change. */
const SENDABLE = operations
  .filter(({ effect }) => effect === "read" || effect === "money")
  .map(({ id }) => id);
const MAX_WEIGHT = 10_000;

const EXAMPLE = "load/README.md has an example";

const refusalsOf = (id: OperationId) => (contract[id] as Operation).bound.map((condition) => condition.id);

const Step = z
  .strictObject({
    operation: z.enum(SENDABLE, {
      error: ({ input }) => unknownName("operation", String(input), SENDABLE),
    }),
    weight: z.int().min(1).max(MAX_WEIGHT),
    creationsAgo: z.int().min(1).max(10_000).exactOptional(),
    refusal: z.string().exactOptional(),
  })
  .superRefine(({ operation, creationsAgo, refusal }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (creationsAgo !== undefined && operation !== "createTransfer" && operation !== "listTransfers")
      problem(
        "creationsAgo",
        "only createTransfer repeats an earlier transfer, and only listTransfers looks one up",
      );
    if (refusal !== undefined && !refusalsOf(operation).includes(refusal))
      problem("refusal", unknownName("refusal", refusal, refusalsOf(operation)));
    if (refusal !== undefined && creationsAgo !== undefined)
      problem("refusal", "a step is a repeat or asks for a rejection, not both");
    if (operation === "refundTransaction" && refusal === undefined)
      problem("refusal", "a transaction can be refunded only once, so a load may only ask for a rejection");
  });

/** The steps of a workload, as `--mix` takes them. */
export const Mix = z
  .array(Step)
  .min(1, "a workload needs at least one step")
  .superRefine((steps, context) => {
    const total = steps.reduce((sum, { weight }) => sum + weight, 0);
    if (total > MAX_WEIGHT)
      context.addIssue({ code: "custom", message: `the weights add up to ${total}; at most ${MAX_WEIGHT}` });
    const index = steps.findIndex(({ creationsAgo }) => creationsAgo !== undefined);
    if (index >= 0 && !steps.some(createsTransfer))
      context.addIssue({
        code: "custom",
        path: [index, "creationsAgo"],
        message: "no step creates the transfer: add createTransfer without creationsAgo",
      });
  });

/** Reads the steps of a workload of the operator's own; throws a `CommandError` (2) with the place of a problem. */
export const readMix = (path: string): Steps => readJsonFile("--mix", path, Mix, EXAMPLE);
