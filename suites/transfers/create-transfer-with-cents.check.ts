import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent, requireReferenceSent } from "../../fixtures/http/sent.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { settle } from "../../fixtures/lists/counting.ts";
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
    await settle(ctx);
    const usualRow = await rowOf(ctx, requireReferenceSent(ordinary));
    const fields = amountFields(usualRow, Number(bodySent(ordinary).amount));
    if (fields.length === 0)
      throw new Inconclusive(
        "no field of a listed transfer shows its amount",
        "createTransfer/listed-fields",
      );

    const amount = Number((Math.floor(ctx.need("TRANSFER_AMOUNT")) + 0.37).toFixed(2));
    const answer = await sendTolerated(ctx, ID, { body: { amount } });
    if (!answer.isSuccess) throw new Inconclusive(`an amount with cents ${handlingOf(answer)}`);
    await settle(ctx);
    const row = new Map(scalars(await rowOf(ctx, requireReferenceSent(answer))));
    const shown = fields.map(({ path, scale }) => ({ path, value: row.get(path), scale }));
    const [first] = shown;
    expectThat(
      shown.some(({ value, scale }) => isSame(numberIn(value), amount * scale)),
      answer,
      `lists a transfer of ${amount} with ${first?.path} ${JSON.stringify(first?.value)}`,
      `${amount}, in the unit that other transfers have`,
    );
  },
);

const isSame = (value: number | undefined, wanted: number) =>
  value !== undefined && Math.abs(value - wanted) < 0.001;

/** The listed row of a transfer; throws `Inconclusive` if its reference finds none or several. */
async function rowOf(ctx: CheckContext, transferReference: string): Promise<unknown> {
  const { items } = await readFiltered(ctx, "listTransfers", { transferReference });
  if (items.length !== 1)
    throw new Inconclusive(
      `the list shows ${plural(items.length, "transfer")} under the reference of one`,
      "createTransfer/accepted-is-listed",
    );
  return items[0];
}
