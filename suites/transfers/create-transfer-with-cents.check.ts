import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { bodySent, requireReferenceSent } from "../../fixtures/http/sent.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { settle } from "../../fixtures/lists/counting.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { amountFields, numberIn } from "./amount-fields.ts";

const ID = "createTransfer";

check("createTransfer/amount-with-cents", "TITLE", { critical: "N04", pays: 1, probe: true }, async (ctx) => {
  const ordinary = await requireControl(ctx, ID);
  await settle(ctx);
  const shown = amountFields(
    await rowOf(ctx, requireReferenceSent(ordinary)),
    Number(bodySent(ordinary).amount),
  );
  if (shown.length === 0)
    throw new Inconclusive("no field of a listed transfer shows its amount", "createTransfer/listed-fields");

  const amount = Number((Math.floor(ctx.need("TRANSFER_AMOUNT")) + 0.37).toFixed(2));
  const answer = await sendTolerated(ctx, ID, { body: { amount } });
  if (!answer.isSuccess) throw new Inconclusive(`an amount with cents ${handlingOf(answer)}`);
  await settle(ctx);
  const row = new Map(scalars(await rowOf(ctx, requireReferenceSent(answer))));
  const found = shown.map(({ path, scale }) => ({ path, value: row.get(path), scale }));
  if (found.some(({ value, scale }) => isSame(numberIn(value), amount * scale))) return;
  const [first] = found;
  throw new Violation(
    answer,
    `lists a transfer of ${amount} with ${first?.path} ${JSON.stringify(first?.value)}`,
    `${amount}, in the scale of other transfers`,
  );
});

const isSame = (value: number | undefined, wanted: number) =>
  value !== undefined && Math.abs(value - wanted) < 0.001;

/** The listed row of a transfer; throws `Inconclusive` where its reference finds none, or several. */
async function rowOf(ctx: CheckContext, transferReference: string): Promise<unknown> {
  const { items } = await readFiltered(ctx, "listTransfers", { transferReference });
  if (items.length !== 1)
    throw new Inconclusive(
      `the list shows ${items.length} transfers under the reference of one`,
      "createTransfer/accepted-is-listed",
    );
  return items[0];
}
