import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { countable, referenceOf, settle } from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { locate, readFiltered } from "../../fixtures/listing.ts";
import { scalars } from "../../fixtures/pointer.ts";
import { disposition, identifiers, show } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import type { Change } from "../../schemas/operation.ts";

const ID = "createTransfer";
const critical = { level: "SHOULD", critical: true, pays: 1 } as const;

check("createTransfer/idempotency/other-amount", { ...critical, source: "G06" }, async (bench) => {
  const amount = bench.need("TRANSFER_AMOUNT");
  await sendsOtherBody(bench, { body: { amount: amount * 2 } }, "another amount");
});

check("createTransfer/idempotency/other-account", { ...critical, source: "G06" }, async (bench) => {
  await sendsOtherBody(
    bench,
    { body: { accountNumber: bench.need("SECOND_ACCOUNT_NUMBER") } },
    "another account",
  );
});

check("createTransfer/idempotency/other-notation", { ...critical, requirements: ["R087"] }, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const { amount, ...rest } = draft.body ?? {};
  // The same members in another order, and the same number in another notation.
  const bytes = `{${Object.entries(rest)
    .reverse()
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(", ")}, "amount": ${Number(amount).toFixed(2)}}`;
  const answers: Answer[] = [];
  await bench.send(ID, {}, { draft, repeats: answers });
  await bench.send(ID, {}, { draft, repeats: answers, bytes });
  const transferNote = `payments-conformance ${bench.run.settings.runId}`;
  // The domain is reserved, so that nobody gets this mail.
  for (const more of [{ transferNote }, { emailAddress: "payments-conformance@example.com" }])
    await bench.send(ID, {}, { draft: { ...draft, body: { ...draft.body, ...more } }, repeats: answers });

  await judgeSecond(bench, draft.reference, answers);
  bench.observe(
    "G06",
    `a repeat in another notation, with a transferNote or for another emailAddress, gets ${disposition(answers)}`,
  );
});

check(
  "createTransfer/idempotency/distinct-references",
  { ...critical, requirements: ["R087"] },
  async (bench) => {
    const { answer: one, accepted, notTested } = await controlOf(bench, ID);
    if (!one || !accepted)
      throw notTested ?? new Inconclusive("the ordinary transfer was not accepted", `${ID}/accepted`);
    // The same body as the ordinary transfer's, but for the reference.
    const two = await bench.send(ID);
    if (two.failure || (two.status ?? 500) >= 500 || two.status === 429)
      throw new Inconclusive(`the second of two transfers ${outcomeOf(two)}`);
    if (!isSuccess(two))
      throw violation(
        two,
        `refused a transfer that differs from an earlier one only in its reference (${outcomeOf(two)})`,
        "a new payout for a new reference",
      );
    if (identifiers([one, two]).size === 1)
      throw violation(
        two,
        "answered the transactionId of an earlier transfer for another reference",
        "a new payout for a new reference",
      );
  },
);

check(
  "createTransfer/idempotency/case-of-reference",
  { level: "OBSERVE", source: "G20", pays: 2, probe: true },
  async (bench) => {
    const draft = bench.draft(ID);
    const first = await bench.send(ID, {}, { draft });
    const second = await bench.send(ID, {}, { draft: withReference(draft, draft.reference.toUpperCase()) });
    bench.observe(
      "G20",
      `a reference in upper case after the same in lower case gets ${disposition([first, second])}`,
    );
  },
);

check(
  "createTransfer/idempotency/space-after-reference",
  { level: "OBSERVE", source: "G05", pays: 2, probe: true },
  async (bench) => {
    const draft = bench.draft(ID);
    const first = await bench.send(ID, {}, { draft });
    const second = await bench.send(ID, {}, { draft: withReference(draft, `${draft.reference} `) });
    bench.observe("G05", `a reference with a space after it gets ${disposition([first, second])}`);
  },
);

check("createTransfer/idempotency/two-merchants", { ...critical, source: "G18" }, async (bench) => {
  const authorization = `Bearer ${bench.need("SECOND_SECRET_KEY")}`;
  const { answer: mine, accepted, notTested } = await controlOf(bench, ID);
  if (!mine || !accepted)
    throw notTested ?? new Inconclusive("the ordinary transfer was not accepted", `${ID}/accepted`);
  const draft = withReference(bench.draft(ID), referenceOf(mine));
  const theirs = await bench.send(ID, {}, { draft, authorization });
  if (isSuccess(theirs) && identifiers([mine, theirs]).size === 1) {
    throw violation(theirs, "answered another merchant's transactionId", "nothing of another merchant");
  }
  bench.observe(
    "G05",
    `a reference that another merchant used ${isSuccess(theirs) ? "is accepted" : outcomeOf(theirs)}`,
  );
});

type Draft = ReturnType<Bench["draft"]>;

const withReference = (draft: Draft, transferReference: string): Draft => ({
  ...draft,
  body: { ...draft.body, transferReference },
});

/** The same reference with another body: refusing it and replaying the first are fine, a second payout is not. */
async function sendsOtherBody(bench: Bench, { body }: Change, what: string) {
  await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  await bench.send(ID, {}, { draft, repeats: answers });
  await bench.send(ID, {}, { draft: { ...draft, body: { ...draft.body, ...body } }, repeats: answers });

  bench.observe("G06", `a repeat with ${what} gets ${disposition(answers)}`);
  await judgeSecond(bench, draft.reference, answers);
  await judgeRow(bench, draft, body);
}

/** The listed transfer must still be the first one; says nothing where the list does not show what was changed. */
async function judgeRow(bench: Bench, { body, reference }: Draft, changed: Change["body"]) {
  const isLocated = await locate(bench, "listTransfers").then(
    () => true,
    () => false,
  );
  const { answer: control } = await controlOf(bench, ID);
  if (!isLocated || !control) return;
  const [[name, second] = ["", undefined]] = Object.entries(changed ?? {});
  const usual = await rowOf(bench, referenceOf(control));
  const row = await rowOf(bench, reference);
  const place = scalars(usual.item).find(([, value]) => String(value) === String(body?.[name]))?.[0];
  const shown = scalars(row.item).find(([path]) => path === place)?.[1];
  if (place !== undefined && shown !== undefined && String(shown) === String(second))
    throw violation(
      row.answer,
      `lists the transfer with the ${name} of the repeat, which was not carried out`,
      `the ${name} that was accepted`,
    );
}

async function rowOf(bench: Bench, transferReference: string) {
  const { answer, items } = await readFiltered(bench, "listTransfers", { transferReference });
  return { answer, item: items[0] };
}

async function judgeSecond(bench: Bench, reference: string, answers: readonly Answer[]) {
  const [first, ...further] = answers;
  const second = further.at(-1);
  if (!first || !second) throw new Error("two sendings were meant");
  if (!isSuccess(first))
    throw new Inconclusive(`the first sending ${outcomeOf(first)}`, "createTransfer/accepted");
  await settle(bench);
  const shown = await show(bench, reference);
  if (shown?.surplus)
    throw violation(
      second,
      `paid the reference ${reference} twice: ${shown.all} transfers are listed`,
      "one payout, or a refusal",
    );
  if (identifiers(answers).size > 1) {
    throw violation(
      second,
      "answered another transactionId for the same reference",
      "the first transactionId, or a refusal",
    );
  }
}
