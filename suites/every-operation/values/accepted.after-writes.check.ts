import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { handlingOf, outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { sendUntriedValues, sendValuesSeparately } from "../../../fixtures/engine/judge/varied.ts";
import { type CheckOptions, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import type { Varied } from "../../../fixtures/engine/run/run.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import type { ValueSet } from "../../../schemas/values/value-sets.ts";
import { needExpendable } from "../statuses-and-bodies/requests.ts";

// Valid values of every class, in the fields that take any: most of them ride along with requests that the run sends
// anyway, and this check sends the others. A value rule of the deployment may reject them, but they break nothing.
for (const operation of operations) {
  const { id, noun, free, requirements } = operation;
  if (!free) continue;
  const options = { critical: requirements.types ?? requirements.success, ...consentOf(operation) };
  const title = `takes letters, signs, numbers and booleans of every kind in ${noun}`;
  check(`${id}/values/accepted`, title, options, async (ctx) => {
    needExpendable(ctx, id);
    await requireControl(ctx, id);
    await sendUntriedValues(ctx, id);
    for (const varied of ctx.run.varied.filter((one) => one.operation === id)) await judge(ctx, varied);
  });
}

function consentOf({ effect }: Operation): Pick<CheckOptions, "pays" | "probe"> {
  return { ...(effect === "money" && { pays: 1 }), ...(effect !== "read" && { probe: true }) };
}

/** Judges what became of one set of values, if the same request with plain values was accepted. */
async function judge(ctx: CheckContext, varied: Varied) {
  const { operation: id, set, answer, plain } = varied;
  if (!plain?.isSuccess) return;
  ctx.note(plain);
  ctx.note(answer);
  expectSteady(answer, set, plain);
  const apart = await sendValuesSeparately(ctx, varied);
  if (apart.length === 0) return recordRejection(ctx, id, answer, set);
  for (const { set: single, answer: own } of apart) {
    ctx.note(own);
    expectSteady(own, single, plain);
    if (!own.isSuccess && !own.isThrottled) recordRejection(ctx, id, own, single);
  }
}

/** Demands that valid values break nothing: the same request with plain values was accepted. */
function expectSteady(answer: Answer, set: ValueSet, plain: Answer) {
  const actual = `${outcomeOf(answer)} for ${inWords(set)}, but accepts the same request with other values`;
  expectThat(!answer.isCrash || answer.isThrottled, answer, actual, "the same, or a rejection", [plain]);
}

/** A value rule may reject a text or a number; about a boolean, nothing but its type can be wrong. */
function recordRejection(ctx: CheckContext, id: OperationId, answer: Answer, set: ValueSet) {
  ctx.observe("N40", `${contract[id].noun} with ${inWords(set)} ${handlingOf(answer)}`);
  const { free = {} }: Operation = contract[id];
  const isBoolean = Object.keys(set.words).every((field) => /boolean/i.test(String(free[field])));
  if (isBoolean)
    ctx.warn(`${outcomeOf(answer)} for ${inWords(set)}, a value of the documented type`, { answer });
}

const inWords = ({ words }: ValueSet) =>
  Object.entries(words)
    .map(([field, what]) => `${field} (${what})`)
    .join(", ");
