import type { Built } from "../../fixtures/engine/http/build.ts";
import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/engine/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { expectPaidOnce, identifiers, repliesToRepeats } from "../../fixtures/engine/judge/repeats.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import { requireControl, secondMerchant } from "../../fixtures/engine/run/control.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import { expectBothPaid, expectOnePayout, repeatedTransfer, repeatWithOther } from "./repeated-transfer.ts";

const ID = "createTransfer";

check(
  "createTransfer/idempotency/other-amount",
  "does not pay again when a reference is repeated with another amount",
  { critical: "G06", pays: 1 },
  (ctx) => repeatWithOther(ctx, "amount", ctx.need("TRANSFER_AMOUNT") * 2, "another amount"),
);

check(
  "createTransfer/idempotency/other-account",
  "does not pay again when a reference is repeated with another account",
  { critical: "G06", pays: [0, 1] },
  (ctx) => repeatWithOther(ctx, "accountNumber", ctx.need("SECOND_ACCOUNT_NUMBER"), "another account"),
);

check(
  "createTransfer/idempotency/other-notation",
  "pays once when a repeat has the same content in another notation of JSON",
  { must: ["R087"], pays: 1 },
  async (ctx) => {
    const { draft, reference, answers, send } = await repeatedTransfer(ctx);
    await send();
    await send({}, { bytes: inOtherNotation(draft.body ?? {}) });
    await send({}, { bytes: withEscapes(draft.body ?? {}, reference) });

    await expectPaidOnce(ctx, reference, answers);
    ctx.observe("G05", `a repeat in another notation gets ${repliesToRepeats(answers)}`);
  },
);

check(
  "createTransfer/idempotency/other-note",
  "does not pay again when a reference is repeated with another note or e-mail address",
  { critical: "G06", pays: 1 },
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send();
    await send({ transferNote: `payments-conformance ${ctx.run.settings.runId}` });
    // The domain is reserved, so the mail reaches no one.
    await send({ emailAddress: "payments-conformance@example.com" });

    await expectOnePayout(ctx, reference, answers);
    const what = "a repeat with a transferNote or for another emailAddress";
    ctx.observe("G06", `${what} gets ${repliesToRepeats(answers)}`);
  },
);

check(
  "createTransfer/idempotency/distinct-references",
  "pays two transfers that differ only in their reference",
  { critical: ["R087"], pays: 1 },
  async (ctx) => {
    const one = await requireControl(ctx, ID);
    // The ordinary transfer again: only its reference is new.
    const two = await ctx.send(ID);
    if (two.isCrash || two.isThrottled)
      throw new Inconclusive(`the second of two transfers ${outcomeOf(two)}`);
    expectBothPaid(one, two, "transfers that differ only in their reference");
  },
);

const IN_UPPER_CASE = "a reference in upper case after the same in lower case";
observeAltered("case-of-reference", "G20", IN_UPPER_CASE, (sent) => sent.toUpperCase());
observeAltered("space-after-reference", "G05", "a reference with a space after it", (sent) => `${sent} `);

check(
  "createTransfer/idempotency/two-merchants",
  "keeps the references of two merchants apart",
  { critical: "G18", pays: [0, 1] },
  async (ctx) => {
    const { authorization } = secondMerchant(ctx);
    const mine = await requireControl(ctx, ID);
    const draft = renamed(ctx.draft(ID), requireReferenceSent(mine));
    const theirs = await ctx.send(ID, {}, { draft, authorization });
    const isForeign = theirs.isSuccess && identifiers([mine, theirs]).size === 1;
    const actual = "returned the transactionId of another merchant's transfer";
    expectThat(!isForeign, theirs, actual, "nothing of another merchant", [mine]);
    ctx.observe("G05", `a reference that another merchant used ${handlingOf(theirs)}`);
  },
);

function observeAltered(name: string, item: OpenItemId, what: string, alter: (sent: string) => string) {
  const title = `pays again, replays or rejects ${what}`;
  check(`${ID}/idempotency/${name}`, title, { observe: item, pays: 2, probe: true }, async (ctx) => {
    const draft = ctx.draft(ID);
    const first = await ctx.send(ID, {}, { draft });
    const second = await ctx.send(ID, {}, { draft: renamed(draft, alter(draft.reference)) });
    ctx.observe(item, `${what} gets ${repliesToRepeats([first, second])}`);
  });
}

const renamed = (draft: Built, transferReference: string) => ({
  ...draft,
  body: { ...draft.body, transferReference },
});

/** A transfer as JSON with its members in reverse order, white space between them and zeros after its amount. */
function inOtherNotation({ amount, ...rest }: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(rest)
    .reverse()
    .map(([name, value]) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`);
  const decimals = Number.isInteger(amount) ? ".00" : "0";
  return `{\n  ${[...members, `"amount" : ${amount}${decimals}`].join(",\n  ")}\n}`;
}

/** A transfer as JSON in which the letters of its reference are escaped. */
const withEscapes = (body: Readonly<Record<string, unknown>>, reference: string) =>
  JSON.stringify(body).replace(
    `"${reference}"`,
    `"${reference.replaceAll(/[a-z]/gi, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`,
  );
