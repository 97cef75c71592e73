import { successBodyRequirements } from "./contract.ts";
import type { Defect, Operation } from "./operation.ts";
import { rejectedRequests } from "./probes.ts";
import { FRESH } from "./recipe.ts";
import type { RequirementId } from "./requirements.ts";

/** What is asked twice of an operation. */
export interface Questions {
  /** A request that is refused each time. */
  readonly refused?: Defect;
  /** The ordinary read succeeds each time. */
  readonly read: boolean;
  /** A key that was never issued is refused each time. */
  readonly unknownKey: boolean;
  readonly requirements: readonly RequirementId[];
}

/** Chooses two questions for an operation, of three: its ordinary read, a request that it must refuse, an unknown key. */
export function questionsOf(operation: Operation): Questions {
  const { bound, effect, requirements } = operation;
  const read = effect === "read";
  const unknown = bound.find(namesUnknown);
  const refused = unknown ?? rejectedRequests(operation)[0] ?? bound[0];
  const { required, types = [] } = requirements;
  const unknownKey = !read || !refused;
  const rules: RequirementId[] = [
    ...(read ? successBodyRequirements(operation) : []),
    ...((unknown ?? (refused && required ? { requirements: required } : undefined))?.requirements ??
      (refused ? types : [])),
    ...(unknownKey ? (["R003"] as const) : []),
  ];
  return { ...(refused && { refused }), read, unknownKey, requirements: [...new Set(rules)] };
}

/** Whether a condition is about a record that does not exist. */
const namesUnknown = ({ change }: Defect) =>
  change.path !== undefined || Object.values(change.body ?? {}).includes(FRESH);
