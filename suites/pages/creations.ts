import { bodySent, partSent } from "../../fixtures/engine/http/sent.ts";
import { membersOf } from "../../fixtures/engine/http/wording.ts";
import { shouldRejectSecond } from "../../fixtures/engine/judge/check-families.ts";
import { check, type Rules } from "../../fixtures/engine/run/check.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";

/** Registers that a second record cannot have the same value in `field`. */
export function refusesTaken(id: OperationId, field: string, rules: Rules) {
  shouldRejectSecond(`${id}/${field}-repeated`, rules, `the ${field} is taken`, (first) => ({
    [field]: partSent(first, field) ?? bodySent(first)[field],
  }));
}

/** Registers an observation of the undocumented record that a success returns. */
export function observeRecord(id: OperationId, item: OpenItemId) {
  const { noun } = contract[id];
  const title = `returns data with members of its choice for ${noun}`;
  check(`${id}/record`, title, { observe: item }, async (ctx) => {
    const answer = await requireControl(ctx, id);
    ctx.observe(item, `data of ${noun} is ${membersOf(answer.field("data"))}`);
  });
}
