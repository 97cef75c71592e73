import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { isObject } from "../../../fixtures/engine/http/body.ts";
import { NotTested } from "../../../fixtures/engine/http/findings.ts";
import { textSent } from "../../../fixtures/engine/http/sent.ts";
import { expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { sendUntriedValues, sendValuesSeparately } from "../../../fixtures/engine/judge/varied.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId, operations, successSchema } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { agrees, fieldsSent, membersNamed, recordsWith } from "../values/shown-values.ts";

// A value comes back as it was sent, where an answer or a list shows it under the same name.
for (const { id, noun, effect, free } of operations) {
  if (effect === "read" || !free || !showsRecords(id)) continue;
  const title = `shows the values of ${noun} as they were sent, wherever it shows them`;
  check(`${id}/values/echoed`, title, { critical: "practice" }, async (ctx) => {
    const control = await requireControl(ctx, id);
    const mayProbe = effect === "update" || ctx.target.allow.probeWrites;
    if (mayProbe) await sendUntriedValues(ctx, id);
    // An optional field alone may mean nothing.
    const varied = ctx.run.varied.filter(({ operation, set }) => operation === id && !set.isAlone);
    const rejected = varied.filter(({ plain }) => mayProbe && plain?.isSuccess);
    const apart = (await Promise.all(rejected.map((one) => sendValuesSeparately(ctx, one)))).flat();
    const accepted = [...varied, ...apart].filter(({ answer }) => answer.isSuccess);
    let compared = 0;
    for (const answer of [control, ...accepted.map((one) => one.answer)])
      compared += expectShownAsSent(ctx, answer, await listedRecords(ctx, answer));
    if (compared === 0)
      throw new NotTested(
        "not-applicable",
        "no response or list shows a value under the name that it was sent under",
      );
  });
}

/** Whether an answer of the operation, or a list, has room for what was sent. */
function showsRecords(id: OperationId): boolean {
  const { success }: Operation = contract[id];
  return success.has !== undefined || Object.keys(Object(successSchema(contract[id])).shape ?? {}).length > 1;
}

/** A record in an answer that shows it. */
interface Shown {
  readonly list: Answer;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The records of a list that carry the reference of an accepted request; it is asked for if no list has shown it. */
async function listedRecords(ctx: CheckContext, answer: Answer): Promise<Shown[]> {
  const reference = ctx.run.builder.referenceIn(textSent(answer));
  const filled: (Operation & { id: OperationId }) | undefined = operations.find(
    ({ list }) => list?.filledBy === answer.operation.id,
  );
  if (!filled?.list || reference === undefined) return [];
  const recorded = recordsIn(ctx.run.answersTo(filled.id), reference);
  if (recorded.length > 0) return recorded;
  const query = { ...filled.ordinary.query, [filled.list.search]: reference };
  return recordsIn([await ctx.send(filled.id, { query })], reference);
}

const recordsIn = (answers: readonly Answer[], reference: string): Shown[] =>
  answers
    .filter(({ isSuccess }) => isSuccess)
    .flatMap((list) => recordsWith(list.json, reference).map((record) => ({ list, record })));

/** Compares what was sent with every record that shows it; returns how many values could be compared. */
function expectShownAsSent(ctx: CheckContext, answer: Answer, listed: readonly Shown[]): number {
  const { operation } = answer;
  const own = isObject(answer.json) ? [{ list: answer, record: answer.json }] : [];
  const sent = Object.entries(fieldsSent(answer)).filter(([field]) => isComparable(operation, field));
  let compared = 0;
  for (const { list, record } of [...own, ...listed]) {
    for (const [field, value] of sent) {
      const [shown, second] = membersNamed(record, field);
      const agree = shown && !second ? agreesWithFees(answer, field, value, shown.value) : undefined;
      if (agree === undefined) continue;
      ctx.note(answer);
      ctx.note(list);
      const actual = `shows ${field} as ${JSON.stringify(shown?.value)} after ${JSON.stringify(value)} was sent`;
      if (!agree) ctx.observe("N15", actual, { alarming: true });
      expectThat(agree, list, actual, "the value that was sent");
      compared += 1;
    }
  }
  return compared;
}

/** As {@link agrees}; the amount of a payment may be shown with its fees. */
function agreesWithFees(answer: Answer, field: string, value: unknown, shown: unknown): boolean | undefined {
  const { fees } = fieldsSent(answer);
  const withFees = Number(value) + Number(fees);
  const isTotal = field === answer.operation.stake?.field && agrees(Math.round(withFees * 100) / 100, shown);
  return isTotal || agrees(value, shown);
}

/** A documented member of the answer has a meaning of its own, and a bank may know an account under another name. */
function isComparable(operation: Operation, field: string): boolean {
  const documented = Object.keys(Object(successSchema(operation)).shape ?? {});
  const isOfBank = /name$/i.test(field) && !(operation.free && field in operation.free);
  return !documented.includes(field) && !isOfBank && field !== "isLive" && field !== "isActive";
}
