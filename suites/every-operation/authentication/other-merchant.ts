import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectNotAccepted, expectStatus } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { secondMerchant } from "../../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";

/** A request about a record of the merchant under test, sent with the key of another one. */
interface OtherMerchant {
  readonly what: string;
  /** The rule by which a record that the merchant does not have is rejected. */
  readonly requirement: RequirementId;
  /** The documented status for a record that does not exist, if there is one. */
  readonly status?: number;
  readonly send: (ctx: CheckContext, authorization: string) => Promise<ApiResponse>;
}

/** Registers that another merchant's key changes nothing, and that it does not show whether the record exists. */
export function rejectsOtherMerchant(id: OperationId, { what, requirement, status, send }: OtherMerchant) {
  const sentOnce = async (ctx: CheckContext) => {
    const { authorization, needAccepted } = secondMerchant(ctx);
    await needAccepted();
    return ctx.once(`other-merchant/${id}`, () => send(ctx, authorization));
  };
  const title = rejectionTitle(contract[id].noun, what);
  check(`${id}/other-merchant`, title, { must: [requirement], scope: "second-merchant" }, async (ctx) =>
    expectNotAccepted(await sentOnce(ctx), what),
  );
  if (status === undefined) return;
  check(`${id}/other-merchant/status`, `returns ${status} when ${what}`, { critical: "G18" }, async (ctx) =>
    expectStatus(await sentOnce(ctx), status, what),
  );
}
