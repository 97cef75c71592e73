import type { Rules } from "../../../fixtures/engine/run/check.ts";
import { type CheckContext, observes, rejects } from "../../../fixtures/engine/vocabulary.ts";
import { defectOf } from "../../../schemas/changes.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { OpenItemId } from "../../../schemas/open-items.ts";
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
