import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent, partSent } from "../../fixtures/http/sent.ts";
import { membersOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { shouldRejectSecond } from "../../fixtures/judge/check-families.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { resolve } from "../../fixtures/lists/json-pointer.ts";
import { check, type Rules } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
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
  check(`${id}/references-differ`, title, { should: requirements }, async (ctx) => {
    const [one, other] = await create(ctx);
    if (!other.isSuccess)
      throw new Inconclusive(`${outcomeOf(other)}: there is no second record to compare with`);
    const [first, second] = [one, other].map(({ json }) => resolve(json, "/data/reference"));
    if (typeof first !== "string") throw new Inconclusive("the response to a creation has no data.reference");
    const actual = `returned the data.reference ${JSON.stringify(first)} of another record`;
    expectThat(first !== second, other, actual, "a reference of its own");
  });
}

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
