import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent, requireReferenceSent } from "../../fixtures/http/sent.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { plural } from "../../reports/text/wording.ts";
import { amountFields, numberIn } from "./amount-fields.ts";

const ID = "createTransfer";

check(
  "createTransfer/amount-with-cents",
  "lists an amount with cents as it was sent",
  { critical: "N04", pays: 1, probe: true },
  async (ctx) => {
    const ordinary = await requireControl(ctx, ID);
    const fields = amountFields(await rowOf(ctx, ordinary), Number(bodySent(ordinary).amount));
    const [field] = fields;
    if (!field)
      throw new Inconclusive("no field of a listed transfer shows its amount", `${ID}/listed-fields`);

    const amount = Number((Math.floor(ctx.need("TRANSFER_AMOUNT")) + 0.37).toFixed(2));
    const answer = await sendTolerated(ctx, ID, { body: { amount } });
    if (!answer.isSuccess) throw new Inconclusive(`an amount with cents ${handlingOf(answer)}`);
    const row = new Map(scalars(await rowOf(ctx, answer)));
    const isShown = fields.some(({ path, scale }) => isSame(row.get(path), amount * scale));
    const actual = `lists a transfer of ${amount} with ${field.path} ${JSON.stringify(row.get(field.path))}`;
    expectThat(isShown, answer, actual, `${amount}, in the unit that other transfers have`);
  },
);

const isSame = (shown: unknown, sum: number) => Math.abs((numberIn(shown) ?? Number.NaN) - sum) < 0.001;

async function rowOf(ctx: CheckContext, transfer: Answer): Promise<unknown> {
  const filter = { transferReference: requireReferenceSent(transfer) };
  const { items } = await ctx.run.settling.until(
    () => readFiltered(ctx, "listTransfers", filter),
    (found) => found.items.length > 0,
  );
  if (items.length === 1) return items[0];
  const shown = `the list shows ${plural(items.length, "transfer")} under the reference of one`;
  throw new Inconclusive(shown, `${ID}/accepted-is-listed`);
}
