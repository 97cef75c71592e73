import type { Rules } from "../../../fixtures/engine/run/check.ts";
import {
  type CheckContext,
  check,
  demandNoCrash,
  demandRejected,
  observes,
  rejects,
  type SendOptions,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { OpenItemId } from "../../../schemas/open-items.ts";
import { defectOf, type Operation, rejectionTitle } from "../../../schemas/operation.ts";
import { needRecord } from "../requests.ts";

type Body = Readonly<Record<string, unknown>>;
/** The odd fields of a body, the one at fault first. */
type Odd = Body | ((ctx: CheckContext) => Body);
/** A check, what it rests on, and what is wrong, which may be left out where the fields say it. */
type Wrong = readonly [name: string, rules: Rules, odd: Odd, what?: string];

/** Registers what an operation makes of fields with odd values. */
export function oddValues(
  id: OperationId,
  {
    rejected = [],
    apart = [],
    open = [],
  }: {
    /** What only good practice says must be rejected, without a crash. */
    readonly rejected?: readonly Wrong[];
    /** The same for what is worth knowing apart from a crash: card data and the payers of a page are concerned. */
    readonly apart?: readonly Wrong[];
    /** What the specification lets a deployment accept or reject. */
    readonly open?: readonly (readonly [name: string, item: OpenItemId, what: string, odd: Odd])[];
  },
) {
  const before = (ctx: CheckContext) => needRecord(ctx, id);
  for (const [name, rules, odd, what] of rejected)
    rejects(`${id}/${name}`, { should: rules }, { ...wrongOf(odd, what), before });
  for (const [name, rules, odd, what] of apart)
    rejects(`${id}/${name}`, { should: rules }, { ...wrongOf(odd, what), before, apart: true });
  for (const [name, item, what, odd] of open) observes(`${id}/${name}`, item, what, changeTo(odd), before);
}

const changeTo = (odd: Odd) =>
  typeof odd === "function" ? (ctx: CheckContext) => ({ body: odd(ctx) }) : { body: odd };

function wrongOf(odd: Odd, what = defectOf({ body: odd as Body }).what) {
  return { change: changeTo(odd), what };
}

/**
 * Amounts that no client can mean, by name, as the JSON text has them: JavaScript cannot write some of these numbers.
 * The specification sets no bounds (G02), but an API that carries out a payment of less than zero gives money away.
 */
const NOT_POSITIVE = { zero: "0", negative: "-1", "negative-fraction": "-0.01" };
const OUT_OF_SCALE = { thousandth: "0.001", "three-decimals": "100.005", quadrillion: "1e15" };
const OUT_OF_RANGE = { "largest-exponent": "1e308", "beyond-exact-integers": "9007199254740993" };

/** Registers what an operation makes of amounts that no client can mean. */
export function oddAmounts(id: OperationId) {
  const { noun, recordedRejection }: Operation = contract[id];
  // An enormous transfer, if it is paid, empties the account.
  const outOfRange = !recordedRejection;
  const send = (ctx: CheckContext, literal: string) => ctx.sendInvalid(id, {}, withAmount(ctx, id, literal));
  for (const [name, literal] of Object.entries(NOT_POSITIVE)) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    const sent = { ...wrong, apart: true as const, send: (ctx: CheckContext) => send(ctx, literal) };
    const basis = name === "zero" ? ({ should: "G02" } as const) : ({ critical: "G02" } as const);
    rejects(`${id}/amount-${name}`, basis, sent);
  }
  for (const [name, literal] of Object.entries({ ...OUT_OF_SCALE, ...(outOfRange && OUT_OF_RANGE) })) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    const title = rejectionTitle(noun, wrong.what);
    check(`${id}/amount-${name}`, title, { should: "G02" }, async (ctx) => {
      ctx.needProbeWrites();
      const response = await send(ctx, literal);
      await demandRejected(ctx, response, wrong);
      demandNoCrash(response, wrong.what);
    });
  }
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
