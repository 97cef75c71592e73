import type { Answer } from "../../fixtures/http/answer.ts";
import { bodySent, partSent } from "../../fixtures/http/sent.ts";
import { membersOf } from "../../fixtures/http/wording.ts";
import { expectNoCrash, expectNotAccepted } from "../../fixtures/judge/matchers.ts";
import { expectDistinctReferences } from "../../fixtures/judge/references.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check, type Rules } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** Registers that two records have two values of data.reference; `create` returns the answers to their creation. */
export function differsInReference(
  id: OperationId,
  requirements: readonly RequirementId[],
  create: (ctx: CheckContext) => Promise<readonly [one: Answer, other: Answer]>,
) {
  const title = `returns a different data.reference for each request to create ${contract[id].noun}`;
  check(`${id}/references-differ`, title, { should: requirements }, async (ctx) =>
    expectDistinctReferences(...(await create(ctx))),
  );
}

/** Registers that a second record cannot have the same value in `field`. */
export function refusesTaken(id: OperationId, field: string, rules: Rules) {
  const what = `the ${field} is taken`;
  check(
    `${id}/${field}-repeated`,
    rejectionTitle(contract[id].noun, what),
    { should: rules },
    async (ctx) => {
      const first = await requireControl(ctx, id);
      const value = partSent(first, field) ?? bodySent(first)[field];
      const answer = await sendTolerated(ctx, id, { body: { [field]: value } }, { planned: true });
      expectNoCrash(answer, what);
      expectNotAccepted(answer, what);
    },
  );
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
