import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { Violation } from "../../fixtures/engine/http/findings.ts";
import { handlingOf, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { shouldRejectCritically } from "../../fixtures/engine/judge/check-families.ts";
import { expectRejected } from "../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectNoCrash, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/engine/judge/tolerated.ts";
import { check, type Rules } from "../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { Operation } from "../../schemas/operation.ts";

/** An amount that the specification does not forbid, although no client can mean it. */
interface OddAmount {
  readonly name: string;
  /** The amount as the JSON text has it; JavaScript cannot write some of these numbers. */
  readonly literal: string;
}

/** An API that carries out a payment of zero or less gives money away. */
const NOT_POSITIVE: readonly OddAmount[] = [
  { name: "zero", literal: "0" },
  { name: "negative", literal: "-1" },
  { name: "negative-fraction", literal: "-0.01" },
];

/** Registers, for an operation that pays, that it refuses odd amounts. The specification sets no bounds (G02). */
export function checkAmounts(id: OperationId, outOfScale: readonly OddAmount[]) {
  const send = (ctx: CheckContext, literal: string) => ctx.sendInvalid(id, {}, withAmount(ctx, id, literal));
  for (const { name, literal } of NOT_POSITIVE) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    shouldRejectCritically(`${id}/amount-${name}`, "G02", { ...wrong, send: (ctx) => send(ctx, literal) });
  }
  for (const { name, literal } of outOfScale) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    const title = rejectionTitle(contract[id].noun, wrong.what);
    check(`${id}/amount-${name}`, title, { should: "G02" }, async (ctx) => {
      ctx.needProbeWrites();
      const answer = await send(ctx, literal);
      await expectRejected(ctx, answer, wrong);
      expectNoCrash(answer, wrong.what);
    });
  }
}

/** As {@link checkAmounts}, for a transaction; one of the amounts overflows to infinity in a double. */
export function checkTransactionAmounts(id: OperationId) {
  checkAmounts(id, [
    { name: "thousandth", literal: "0.001" },
    { name: "three-decimals", literal: "10.005" },
    { name: "quadrillion", literal: "1e15" },
    { name: "largest-exponent", literal: "1e308" },
    { name: "beyond-exact-integers", literal: "9007199254740993" },
  ]);
  check(`${id}/amount-overflow`, "does not crash when amount is 1E400", { should: "G02" }, async (ctx) => {
    const answer = await sendTolerated(ctx, id, {}, withAmount(ctx, id, "1E400"));
    expectNoCrash(answer, "amount is 1E400");
    ctx.observe("G02", `an amount of 1E400 ${handlingOf(answer)}`);
  });
}

/** Larger than any cap, and small enough that the sum of several is still a number. */
const BEYOND_ANY_CAP = 1e300;

/** How a request is sent with exactly this amount; if data or a consent is missing, it cannot be carried out. */
function withAmount(ctx: CheckContext, id: OperationId, literal: string): SendOptions {
  const withheld = ctx.missing(id).length > 0;
  const body = { amount: Math.min(Number(literal), Number.MAX_VALUE) };
  const draft = ctx.run.builder.build(id, { body }, { withheld });
  const stake = draft.stake === undefined ? undefined : Math.min(draft.stake, BEYOND_ANY_CAP);
  const { amount: _, ...rest } = draft.body ?? {};
  const bytes = JSON.stringify(rest).replace(/^\{/, `{"amount":${literal},`).replace(/,\}$/, "}");
  return { draft: { ...draft, stake }, bytes };
}

const NO_AMOUNT = { what: "amount is missing", field: "amount" };

/** Registers an observation of the status codes of an operation whose codes are undocumented. */
export function observeStatus(id: OperationId, item: OpenItemId) {
  const title = `accepts and rejects ${contract[id].noun} with status codes of its choice`;
  check(`${id}/status-codes`, title, { observe: item }, async (ctx) => {
    const success = await requireControl(ctx, id);
    ctx.observe(item, `an accepted request returns ${success.status}`);
    const answer = await answerWithoutAmount(ctx, id);
    if (!answer.failure) ctx.observe(item, `a request without amount returns ${answer.status}`);
  });
}

/** Registers that a rejection has no identifier, which clients would take for a success. */
export function rejectsWithoutIdentifier(id: OperationId, rules: Rules) {
  const { noun, success }: Operation = contract[id];
  const { has = "" } = success;
  const title = `returns no ${has} when it refuses ${noun}`;
  check(`${id}/refusal-without-identifier`, title, { critical: rules }, async (ctx) => {
    const answer = await answerWithoutAmount(ctx, id);
    expectAnswered(answer);
    const isWrong = answer.identifier !== undefined && (await isRejection(ctx, answer));
    expectThat(!isWrong, answer, `${outcomeOf(answer)} with ${has}`, "a rejection without an identifier");
  });
}

/** Whether a payment without amount was rejected, recorded or not; other checks judge a payment that was carried out. */
async function isRejection(ctx: CheckContext, answer: Answer): Promise<boolean> {
  if (!answer.is2xx) return true;
  try {
    await expectRejected(ctx, answer, NO_AMOUNT);
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

const answerWithoutAmount = (ctx: CheckContext, id: OperationId) =>
  ctx.once(`without-amount/${id}`, () => ctx.sendInvalid(id, { body: { amount: undefined } }));
