import type { Basis } from "../../fixtures/run/check.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";

/** Names the check that the invalid requests of an operation create nothing. */
export const leaveNothing = (id: OperationId) => ({
  id: `${id}/rejections/leave-nothing`,
  title: `creates nothing when it refuses ${contract[id].noun} as invalid`,
});

/** What this check rests on for transfers. */
export const TRANSFERS_LEAVE_NOTHING = { must: ["R083", "R086"] } as const satisfies Basis;
