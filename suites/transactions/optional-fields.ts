import { sendVaried } from "../../fixtures/judge/varied.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** The optional fields of a payment (sections 4.2 and 4.3) except `message`, which every request of this suite has. */
const OPTIONAL_FIELDS = { ipAddress: "192.0.2.10", fees: 0, isLive: false } as const;

/** The answer to a payment with every optional field, sent once per run. */
export const withOptionalFields = (ctx: CheckContext, id: OperationId) =>
  ctx.once(`${id}/optional-fields`, () =>
    sendVaried(ctx, id, ({ body }) => ctx.send(id, { body: { ...OPTIONAL_FIELDS, ...body } })),
  );
