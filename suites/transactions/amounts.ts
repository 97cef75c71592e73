import type { Built } from "../../fixtures/http/build.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";

/** An amount that the specification does not forbid, although no client can mean it. */
interface OddAmount {
  readonly name: string;
  /** The amount as the JSON text has it; JavaScript cannot write some of these numbers. */
  readonly literal: string;
  /** An API that carries out a payment of zero or less gives money away. */
  readonly critical?: true;
}

export const NOT_POSITIVE: readonly OddAmount[] = [
  { name: "zero", literal: "0", critical: true },
  { name: "negative", literal: "-1", critical: true },
  { name: "negative-fraction", literal: "-0.01", critical: true },
];

export const OUT_OF_SCALE: readonly OddAmount[] = [
  { name: "thousandth", literal: "0.001" },
  { name: "three-decimals", literal: "10.005" },
  { name: "quadrillion", literal: "1e15" },
  { name: "largest-exponent", literal: "1e308" },
  { name: "beyond-exact-integers", literal: "9007199254740993" },
];

/** Registers, for an operation that pays, that it refuses each amount. The specification sets no bounds (G02). */
export function checkAmounts(id: OperationId, amounts: readonly OddAmount[]) {
  for (const { name, literal, critical } of amounts) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    const send = (ctx: CheckContext) => {
      ctx.needProbeWrites();
      const draft = draftOf(ctx, id, literal);
      return sendInvalidWithRetry(ctx, id, {}, { draft, bytes: bytesOf(draft, literal) });
    };
    if (critical) {
      shouldRejectCritically(`${id}/amount-${name}`, "G02", wrong, send);
      continue;
    }
    const title = rejectionTitle(contract[id].noun, wrong.what);
    check(`${id}/amount-${name}`, title, { should: "G02" }, async (ctx) => {
      const answer = await send(ctx);
      await expectRejected(ctx, answer, wrong);
      expectNoCrash(answer, wrong.what);
    });
  }
}

/** Registers that an operation does not crash on an amount that overflows to infinity in a double. */
export function checkOverflow(id: OperationId) {
  check(`${id}/amount-overflow`, "does not crash when amount is 1E400", { should: "G02" }, async (ctx) => {
    const draft = draftOf(ctx, id, "1E400");
    const answer = await sendTolerated(ctx, id, {}, { draft, bytes: bytesOf(draft, "1E400") });
    expectNoCrash(answer, "amount is 1E400");
    ctx.observe("G02", `an amount of 1E400 ${handlingOf(answer)}`);
  });
}

/** Larger than any cap, and small enough that the sum of several is still a number. */
const BEYOND_ANY_CAP = 1e300;

/** A request with this amount; if data or a consent is missing, it cannot be carried out. */
function draftOf(ctx: CheckContext, id: OperationId, literal: string): Built {
  const withheld = ctx.missing(id).length > 0;
  const amount = Math.min(Number(literal), Number.MAX_VALUE);
  const draft = ctx.run.builder.build(id, { body: { amount } }, { withheld });
  return {
    ...draft,
    stake: draft.stake === undefined ? undefined : Math.min(draft.stake, BEYOND_ANY_CAP),
  };
}

/** The body as JSON, with the amount exactly as the literal has it. */
function bytesOf(draft: Built, literal: string): string {
  const { amount: _, ...rest } = draft.body ?? {};
  return JSON.stringify(rest).replace(/^\{/, `{"amount":${literal},`).replace(/,\}$/, "}");
}
