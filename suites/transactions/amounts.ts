import type { Bench } from "../../fixtures/bench.ts";
import type { Built } from "../../fixtures/build.ts";
import { explore, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { discouragesCritically } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently, judgeRefused } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** An amount that the specification does not rule out, and nobody can mean. */
interface OddAmount {
  readonly name: string;
  /** As it stands in the JSON text; some of them JavaScript cannot write by itself. */
  readonly literal: string;
  /** Nothing, or less than nothing: who executes it gives money away. */
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

/** Registers, for an operation that pays, what becomes of amounts that the specification does not bound (G02). */
export function checkAmounts(id: OperationId, amounts: readonly OddAmount[]) {
  for (const { name, literal, critical } of amounts) {
    const defect = { what: `amount is ${literal}`, field: "amount" };
    const send = (bench: Bench) => {
      bench.needProbeWrites();
      const draft = drawn(bench, id, literal);
      return attemptPatiently(bench, id, {}, { draft, bytes: bytesOf(draft, literal) });
    };
    if (critical) discouragesCritically(`${id}/amount-${name}`, { source: "G02" }, defect, send);
    else
      check(`${id}/amount-${name}`, { level: "SHOULD", source: "G02" }, async (bench) => {
        const answer = await send(bench);
        await judgeRefused(bench, id, answer, defect);
        judgeNoBreakdown(answer, defect.what);
      });
  }
}

/** Registers what becomes of an amount that overflows to infinity where numbers are doubles. */
export function checkOverflow(id: OperationId) {
  check(`${id}/amount-overflow`, { level: "SHOULD", source: "G02" }, async (bench) => {
    const draft = drawn(bench, id, "1E400");
    const answer = await explore(bench, id, {}, { draft, bytes: bytesOf(draft, "1E400") });
    judgeNoBreakdown(answer, "amount is 1E400");
    bench.observe("G02", `an amount of 1E400 ${handlingOf(answer)}`);
  });
}

/** More than any cap; a sum of several is still a number. */
const BEYOND_ANY_CAP = 1e300;

/** A request with the amount, made from the operator's data where that may be sent. */
function drawn(bench: Bench, id: OperationId, literal: string): Built {
  const withheld = bench.lacks(id).length > 0;
  const amount = Math.min(Number(literal), Number.MAX_VALUE);
  const draft = bench.run.builder.build(id, { body: { amount } }, { withheld });
  return {
    ...draft,
    stake: draft.stake === undefined ? undefined : Math.min(draft.stake, BEYOND_ANY_CAP),
  };
}

/** The body with the amount as it is written. */
function bytesOf(draft: Built, literal: string): string {
  const { amount: _, ...rest } = draft.body ?? {};
  return JSON.stringify(rest).replace(/^\{/, `{"amount":${literal},`).replace(/,\}$/, "}");
}
