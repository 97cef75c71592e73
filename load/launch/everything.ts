import type { Target } from "../../fixtures/engine/config/target.ts";
import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { missingConsent } from "../../fixtures/engine/http/permission.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { listed } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { neededVariables, type Operation } from "../../schemas/operation.ts";
import { createsTransfer, type Step } from "../k6/requests.ts";

/** The workload that a run has if the operator names none. */
export const EVERYTHING = "everything";

/** All that a load may send. Rejections that cost nothing have a large share: leaks hide in the handling of errors. */
const STEPS: readonly Step[] = [
  { operation: "createTransfer", weight: 10 },
  { operation: "createTransfer", weight: 1, creationsAgo: 1 },
  { operation: "createTransfer", weight: 1, creationsAgo: 12 },
  { operation: "listTransfers", weight: 8, creationsAgo: 2 },
  { operation: "createQrTransaction", weight: 6 },
  { operation: "createCardTransaction", weight: 6 },
  { operation: "createNddTransaction", weight: 4 },
  { operation: "initializeVirtualAccount", weight: 8 },
  { operation: "initializeVirtualAccount", weight: 6, refusal: "email-missing" },
  { operation: "refundTransaction", weight: 8, refusal: "transaction-unknown" },
  { operation: "checkCustomLink", weight: 4 },
  { operation: "getDispute", weight: 4 },
  { operation: "listTransfers", weight: 4 },
  { operation: "listRecipients", weight: 4 },
  { operation: "listPageProducts", weight: 4 },
  { operation: "listCustomers", weight: 4 },
  { operation: "listDiscountCodes", weight: 4 },
  { operation: "getProfile", weight: 4 },
];

/** Chooses what the permissions, the data and the scope of a target allow; throws a {@link CommandError} (2) for nothing. */
export function everythingFor(target: Target) {
  const inScope = STEPS.filter(({ operation }) => !target.outOfScope.includes(operation));
  const lacking = new Map(inScope.map((step) => [step, needs(target, step)]));
  const callable = inScope.filter((step) => lacking.get(step)?.length === 0);
  const hasTransfers = callable.some(createsTransfer);
  const steps = callable.filter(({ creationsAgo }) => hasTransfers || creationsAgo === undefined);
  if (steps.length === 0)
    throw new CommandError(2, [
      `OUT_OF_SCOPE leaves nothing for the workload ${EVERYTHING}: exclude fewer operations`,
    ]);
  return {
    steps,
    leftOut: [...lacking].flatMap(([{ operation, creationsAgo }, missing]) =>
      missing.length > 0 && creationsAgo === undefined ? `${operation}: set ${listed(missing)}` : [],
    ),
  };
}

/** What a step needs and the operator has not set. */
function needs(target: Target, { operation, refusal }: Step): string[] {
  if (refusal !== undefined) return [];
  const called: Operation = contract[operation];
  return [
    ...missingConsent(called, target).map((name) => `${name}=true`),
    ...neededVariables(called).filter((name) => target.values[name as VariableName] === undefined),
  ];
}
