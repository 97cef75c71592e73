import type { Answer } from "../../fixtures/http/answer.ts";
import type { Built } from "../../fixtures/http/build.ts";
import { Inconclusive, ifDecided } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { identifiers, paidAgain, repliesToRepeats, show } from "../../fixtures/judge/repeats.ts";
import { settle } from "../../fixtures/lists/counting.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { repeatedTransfer } from "./repeated-transfer.ts";

/**
 * Sends a transfer, then its reference again with another value of `field`. The API may reject the second request or
 * replay the first payout; it must not pay again.
 */
export async function repeatWithOther(ctx: CheckContext, field: string, value: unknown, what: string) {
  const { draft, reference, answers, send } = await repeatedTransfer(ctx);
  await send();
  await send({ [field]: value });

  ctx.observe("G06", `a repeat with ${what} gets ${repliesToRepeats(answers)}`);
  await expectOnePayout(ctx, reference, answers);
  await expectUnchanged(ctx, draft, field, value);
}

/** Demands that the further requests with a reference neither paid again nor got another transactionId. */
export async function expectOnePayout(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  const [first] = answers;
  const last = answers.at(-1);
  if (!first || !last || first === last) throw new Error("the reference was not sent twice");
  if (!first.isSuccess)
    throw new Inconclusive(`the first request ${outcomeOf(first)}`, "createTransfer/accepted");
  await settle(ctx);
  const shown = await show(ctx, reference);
  if (shown?.surplus)
    throw paidAgain(last, reference, shown.all, "one of them for a repeat with a different body");
  expectThat(
    identifiers(answers).size <= 1,
    last,
    "returned another transactionId for the same reference",
    "the first transactionId or a rejection",
  );
}

/** Demands that the list still shows the first value of `field`, if it shows that field at all. */
async function expectUnchanged(
  ctx: CheckContext,
  { body, reference }: Built,
  field: string,
  repeated: unknown,
) {
  const located = await ifDecided(locate(ctx, "listTransfers"));
  const { answer: control } = await controlOf(ctx, "createTransfer");
  if (!located || !control) return;
  const usual = await rowOf(ctx, requireReferenceSent(control));
  const row = await rowOf(ctx, reference);
  const place = scalars(usual.item).find(([, value]) => String(value) === String(body?.[field]))?.[0];
  const shown = scalars(row.item).find(([path]) => path === place)?.[1];
  expectThat(
    place === undefined || shown === undefined || String(shown) !== String(repeated),
    row.answer,
    `lists the transfer with the ${field} of the repeat, which was not paid`,
    `the ${field} of the accepted request`,
  );
}

async function rowOf(ctx: CheckContext, transferReference: string) {
  const { answer, items } = await readFiltered(ctx, "listTransfers", { transferReference });
  return { answer, item: items[0] };
}
