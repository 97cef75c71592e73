import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { referenceOf, settle } from "../../fixtures/counting.ts";
import { bodySent } from "../../fixtures/exchanged.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { basisOf, explore, handlingOf } from "../../fixtures/leeway.ts";
import { readFiltered } from "../../fixtures/listing.ts";
import { scalars } from "../../fixtures/pointer.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { amountFields, numberIn } from "./amount-fields.ts";

const ID = "createTransfer";

check(
  "createTransfer/amount-with-cents",
  { level: "SHOULD", critical: true, source: "N04", pays: 1, probe: true },
  async (bench) => {
    const ordinary = await basisOf(bench, ID);
    await settle(bench);
    const shown = amountFields(await rowOf(bench, referenceOf(ordinary)), Number(bodySent(ordinary).amount));
    if (shown.length === 0)
      throw new Inconclusive(
        "no field of a listed transfer shows its amount",
        "createTransfer/listed-fields",
      );

    const amount = Number((Math.floor(bench.need("TRANSFER_AMOUNT")) + 0.37).toFixed(2));
    const answer = await explore(bench, ID, { body: { amount } });
    if (!isSuccess(answer)) throw new Inconclusive(`an amount with cents ${handlingOf(answer)}`);
    await settle(bench);
    const row = new Map(scalars(await rowOf(bench, referenceOf(answer))));
    const found = shown.map(({ path, scale }) => ({ path, value: row.get(path), scale }));
    if (found.some(({ value, scale }) => isSame(numberIn(value), amount * scale))) return;
    const [first] = found;
    throw violation(
      answer,
      `lists a transfer of ${amount} with ${first?.path} ${JSON.stringify(first?.value)}`,
      `${amount}, in the scale of other transfers`,
    );
  },
);

const isSame = (value: number | undefined, wanted: number) =>
  value !== undefined && Math.abs(value - wanted) < 0.001;

/** The listed row of a transfer; throws `Inconclusive` where its reference finds none, or several. */
async function rowOf(bench: Bench, transferReference: string): Promise<unknown> {
  const { items } = await readFiltered(bench, "listTransfers", { transferReference });
  if (items.length !== 1)
    throw new Inconclusive(
      `the list shows ${items.length} transfers under the reference of one`,
      "createTransfer/accepted-is-listed",
    );
  return items[0];
}
