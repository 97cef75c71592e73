import { Inconclusive, NotTested } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectAnswered, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { hasInAnyCase } from "../../../fixtures/engine/lists/items.ts";
import { pageOf } from "../../../fixtures/engine/lists/list.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { contract, fillerOf, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect, Operation } from "../../../schemas/operation.ts";
import { findMade } from "../all-responses/find-made.ts";
import { consentToRepeat } from "../statuses-and-bodies/requests.ts";
import { newlyShown } from "../values/shown-values.ts";

const noImage = (name: string, type: string) => new File(["This is no image."], name, { type });

/** Files that are no images, which an API may look at last; they are not in the contract, which k6 reads too. */
const FILES: Readonly<Partial<Record<OperationId, readonly Defect[]>>> = {
  createPaymentPage: [
    {
      what: "its seoImage is a text file",
      change: { body: { seoImage: noImage("notes.txt", "text/plain") } },
    },
    {
      what: "its seoImage holds a text under the name of an image",
      change: { body: { seoImage: noImage("image.png", "image/png") } },
    },
  ],
};

// A rejected request leaves nothing: what it would have taken is still free.
for (const { id, noun, takes } of operations) {
  if (!takes || takes.late.length === 0) continue;
  const { field } = takes;
  const late = [...takes.late, ...(FILES[id] ?? [])];
  const title = `accepts ${noun} with the ${field} of a request that it rejected`;
  const options = { critical: "practice", ...consentToRepeat(id, late.length), probe: true } as const;
  check(`${id}/${field}-after-rejection`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    await requireControl(ctx, id);
    const rejected = await Promise.all(late.map((defect) => expectStillFree(ctx, id, field, defect)));
    if (!rejected.includes(true))
      throw new Inconclusive(`no request with a ${field} of its own was rejected`);
  });
}

/** Enough for two instances behind a load balancer. */
const INSTANCES = 2;

// A rejected request leaves nothing in an object that later requests fill again: they have no fields but their own.
for (const { id, noun, takes } of operations) {
  const list = operations.find((read) => read.list && fillerOf(read.id) === id)?.id;
  if (!takes || takes.late.length === 0 || !list) continue;
  const { field } = takes;
  const title = `lists ${noun} without values of a request that it rejected before`;
  const options = { critical: "practice", ...consentToRepeat(id, INSTANCES), probe: true } as const;
  check(`${id}/fields-after-rejection`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    const control = await requireControl(ctx, id);
    const before = await requireRecord(ctx, list, control, field);
    const fields = unusualFields(ctx, control);
    const taken: Defect = {
      what: `its ${field} is taken`,
      change: { body: { [field]: control.bodySent[field] } },
    };
    const rejected: ApiResponse[] = [];
    const sent: ApiResponse[] = [];
    // Another request could be the next to use such an object.
    await ctx.run.client.alone(async () => {
      for (const { change } of [...takes.late, ...Array<Defect>(INSTANCES).fill(taken)]) {
        const body = { ...fields, ...change.body };
        const response = await ctx.sendInvalid(id, { body }, { retry: false, alone: true });
        if (response.handling === "rejected" && !response.isThrottled) rejected.push(response);
      }
      if (rejected.length === 0)
        throw new NotTested("not-applicable", `every ${field} is accepted, also one that is taken`);
      for (let n = 0; n < INSTANCES; n += 1) sent.push(await ctx.send(id, {}, { alone: true }));
    });
    for (const response of sent) {
      if (!response.isSuccess)
        throw new Inconclusive(`${response.outcome} after the rejections`, `${id}/accepted`);
      const after = await requireRecord(ctx, list, response, field);
      const kept = newlyShown(fields, before.record, after.record);
      const actual = `lists ${noun} that was sent without ${kept.join(" and ")}, with the ${kept.join(" and ")} of a request that it rejected before`;
      const others = [before.response, ...rejected, response];
      expectThat(kept.length === 0, after.response, actual, "the same as for such a request before", others);
    }
  });
}

/** Values for all optional fields that a request was sent without; those of a boolean are not the usual ones. */
function unusualFields({ run }: CheckContext, { operation, bodySent }: ApiResponse) {
  const { id, free = {} }: Operation = operation;
  const fields = Object.entries(run.builder.optional(id as OperationId));
  return Object.fromEntries(
    fields
      .filter(([name]) => !(name in bodySent))
      .map(([name, value]) => [name, free[name] === "boolean" ? !value : value]),
  );
}

/** The record that a list shows of an accepted request; throws `Inconclusive` if it shows none. */
async function requireRecord(
  ctx: CheckContext,
  list: OperationId,
  { operation, bodySent }: ApiResponse,
  field: string,
) {
  const value = String(bodySent[field]);
  const find = async () => {
    const { response } = await findMade(ctx, operation.id as OperationId, value);
    const { items } = await pageOf(ctx, list, response);
    return { response, record: items.find((item) => hasInAnyCase(JSON.stringify(item), value)) };
  };
  const found = await ctx.run.settling.until(find, ({ record }) => record !== undefined);
  if (!found.record) throw new Inconclusive(`no list shows ${operation.noun} of this run`);
  return found;
}

/** Sends a request with a defect, and then without it; returns whether the API rejected the first one. */
async function expectStillFree(ctx: CheckContext, id: OperationId, field: string, { what, change }: Defect) {
  const draft = ctx.draft(id);
  const body = { ...draft.body, ...change.body };
  const first = await ctx.sendInvalid(id, {}, { draft: { ...draft, body }, retry: false });
  if (first.handling !== "rejected" || first.isThrottled) return false;
  const corrected = await ctx.send(id, {}, { draft, repeats: [first] });
  if (corrected.isSuccess) return true;
  expectAnswered(corrected);
  // Only a request that is accepted with another value shows that the value is the reason.
  const other = await ctx.send(id);
  const { noun } = contract[id];
  const actual = `${corrected.outcome} for ${noun} that it rejected before because ${what}, although this was corrected, and ${other.outcome} for one with another ${field}`;
  expectThat(!other.isSuccess, corrected, actual, "nothing of a rejected request to remain", [first, other]);
  return false;
}
