import type { Built } from "../../fixtures/engine/http/build.ts";
import { expectDistinct } from "../../fixtures/engine/judge/matchers.ts";
import { needBook } from "../../fixtures/engine/lists/book.ts";
import { secondTransfer } from "../../fixtures/engine/lists/counting.ts";
import { isLuhn } from "../../fixtures/engine/redaction/redaction.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  ifDecided,
  listOf,
  scalars,
  skip,
  undecided,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import {
  identifiers,
  listedPayouts,
  listedUnder,
  paidAgain,
  paysOnce,
  type RepeatedTransfer,
  repeatedTransfer,
  repliesToRepeats,
} from "./repeated-transfer.ts";

const ID = "createTransfer";
const check = checksUnder(ID);
const checkRepeat = checksUnder(`${ID}/idempotency`);

const IN_NOTATION = "a repeat has the same content in another notation of JSON";
paysOnce("other-notation", IN_NOTATION, 1, async (ctx, { draft, reference, responses, send }) => {
  await send();
  await send({}, { bytes: inOtherNotation(draft.body ?? {}) });
  await send({}, { bytes: withEscapes(draft.body ?? {}, reference) });
  return () => ctx.observe("G05", `a repeat in another notation gets ${repliesToRepeats(responses)}`);
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

// The API may reject a repeat with another content or replay the first payout; it must not pay again.
for (const [field, what, pays, otherIn] of [
  ["amount", "amount", 1, (ctx: CheckContext) => ctx.need("TRANSFER_AMOUNT") * 2],
  ["accountNumber", "account", [0, 1], (ctx: CheckContext) => ctx.need("SECOND_ACCOUNT_NUMBER")],
] as const) {
  const title = `does not pay again when a reference is repeated with another ${what}`;
  checkRepeat(`other-${what}`, title, { critical: "G06", pays }, async (ctx) => {
    const value = otherIn(ctx);
    const transfer = await repeatedTransfer(ctx);
    const { draft, responses, send } = transfer;
    await send();
    await send({ [field]: value });

    ctx.observe("G06", `a repeat with another ${what} gets ${repliesToRepeats(responses)}`);
    // The other body must not have taken the place of the first one.
    await send();
    await expectOnePayout(ctx, transfer);
    await expectUnchanged(ctx, draft, field, value);
  });
}

const OTHER_NOTE = "does not pay again when a reference is repeated with another note or e-mail address";
checkRepeat("other-note", OTHER_NOTE, { critical: "G06", pays: 1 }, async (ctx) => {
  const transfer = await repeatedTransfer(ctx);
  const { responses, send } = transfer;
  await send();
  await send({ transferNote: `payments-conformance ${ctx.run.settings.runId}` });
  // The domain is reserved, so the mail reaches no one.
  await send({ emailAddress: "payments-conformance@example.com" });

  await expectOnePayout(ctx, transfer);
  const what = "a repeat with a transferNote or for another emailAddress";
  ctx.observe("G06", `${what} gets ${repliesToRepeats(responses)}`);
});

/** Demands that the further requests with a reference neither paid again nor got another transactionId. */
async function expectOnePayout(ctx: CheckContext, transfer: RepeatedTransfer) {
  const { reference, responses } = transfer;
  const [first] = responses;
  const last = responses.at(-1);
  if (!first || !last || first === last) throw new Error("the reference was not sent twice");
  if (!first.isSuccess) undecided(`the first request ${first.outcome}`, `${ID}/accepted`);
  await ctx.run.settling.pause();
  const shown = await listedPayouts(ctx, reference);
  if (shown?.surplus) throw paidAgain(transfer, shown.all, "after repeats of which one had a different body");
  const isReplay = identifiers(responses).size <= 1;
  const actual = "returned another transactionId for the same reference";
  demand(isReplay, last, actual, "the first transactionId or a rejection", responses);
}

/** Demands that the list still shows the first value of `field`, if it shows that field at all; a repeat may be a row of its own. */
async function expectUnchanged(ctx: CheckContext, sent: Built, field: string, repeated: unknown) {
  const located = await ifDecided(listOf(ctx, "listTransfers").located());
  const { response: control } = await ctx.control(ID);
  if (!located || !control) return;
  const { items: usual } = await listedUnder(ctx, control.requireReference());
  const { response, items } = await listedUnder(ctx, sent.reference);
  const place = scalars(usual[0]).find(([, value]) => String(value) === String(sent.body?.[field]))?.[0];
  const shown = items.map((row) => valueAt(row, place));
  const isUnchanged = shown.length === 0 || shown.some((value) => String(value) !== String(repeated));
  const actual = `lists the transfer with the ${field} of the repeat, which was not paid`;
  demand(isUnchanged, response, actual, `the ${field} of the accepted request`);
}

const DISTINCT = "pays two transfers that differ only in their reference";
checkRepeat("distinct-references", DISTINCT, { critical: ["R087"], pays: 1 }, async (ctx) => {
  const one = await ctx.ordinary(ID);
  // The ordinary transfer again: only its reference is new.
  const two = await secondTransfer(ctx);
  ctx.note(two);
  if (two.isCrash || two.isThrottled) undecided(`the second of two transfers ${two.outcome}`);
  expectBothPaid(one, two, "transfers that differ only in their reference");
});

/** Demands that a second transfer with another reference is paid as well; `transfers` describes the two. */
function expectBothPaid(first: ApiResponse, second: ApiResponse, transfers: string) {
  const actual = `${second.outcome} for the second of two ${transfers}`;
  demand(second.isSuccess, second, actual, "a new payout for a new reference", [first]);
  expectDistinct("transactionId", first, second, transfers);
}

for (const [name, item, what, alter] of [
  [
    "case-of-reference",
    "G20",
    "a reference in upper case after the same in lower case",
    (sent: string) => sent.toUpperCase(),
  ],
  ["space-after-reference", "G05", "a reference with a space after it", (sent: string) => `${sent} `],
] as const)
  checkRepeat(name, `response to ${what}`, { observe: item, pays: 2, probe: true }, async (ctx) => {
    const draft = ctx.draft(ID);
    const first = await ctx.send(ID, {}, { draft });
    const second = await ctx.send(ID, {}, { draft: renamed(draft, alter(draft.reference)) });
    ctx.observe(item, `${what} gets ${repliesToRepeats([first, second])}`);
  });

const renamed = (draft: Built, transferReference: string) => ({
  ...draft,
  body: { ...draft.body, transferReference },
});

const MIXED = "lists a transfer under a transferReference in mixed case, exactly as sent";
const listed = { should: ["R011", "R054"], pays: 1, probe: true } as const;
check("listed-reference-in-mixed-case", MIXED, listed, async (ctx) => {
  const book = await needBook(ctx);
  const [response] = await twins(ctx);
  if (response.isCrash) undecided(`${response.outcome}: whether the transfer was accepted is unknown`);
  if (!response.isSuccess) return;
  const count = () => book.rows(response.requireReference());
  const rows = await ctx.run.settling.until(count, (found) => found > 0);
  const actual = "accepted a transferReference in mixed case, but lists no transfer under it";
  demand(rows > 0, response, actual, "the transfer under its reference as it was sent");
});

const LONG = "pays two transfers whose long references differ only in the last character";
check("long-references-distinct", LONG, { critical: ["R087"], pays: 2, probe: true }, async (ctx) => {
  const [one, two] = await twins(ctx);
  if (!one.isSuccess) {
    const handling = `a transferReference of 64 characters ${one.fate}`;
    ctx.observe("N43", handling);
    undecided(`${handling}, so two such references cannot be compared`);
  }
  if (!two || two.isCrash) undecided("the outcome of the second transfer is unknown");
  expectBothPaid(one, two, "transfers whose references differ only in the 64th character");
});

/** Sends two transfers whose references of 64 characters differ only in the last; stops if the first is rejected. */
async function twins(ctx: CheckContext): Promise<[ApiResponse, ApiResponse?]> {
  const sent = await ctx.run.once("transfer/twins", async (): Promise<[ApiResponse, ApiResponse?]> => {
    await ctx.ordinary(ID);
    const beginning = ctx.run.builder.fresh().padEnd(63, "aBcDeFgHiJ");
    const send = (last: string) => ctx.sendTolerated(ID, { body: { transferReference: beginning + last } });
    const first = await send("X");
    return first.isSuccess ? [first, await send("Z")] : [first];
  });
  for (const response of sent) if (response) ctx.note(response);
  return sent;
}

const DIGITS =
  "pays three transfers whose references of digits differ only in leading zeros or in the last digit";
check("digit-references-distinct", DIGITS, { critical: ["R087"], pays: 3, probe: true }, async (ctx) => {
  const [one, other] = await digitsOf(ctx);
  let last = await sendDigits(ctx);
  if (!last.isSuccess) {
    const handling = `a transferReference of 19 digits that begins with 00 ${last.fate}`;
    ctx.observe("N43", handling);
    undecided(`${handling}, so references of digits cannot be compared`);
  }
  for (const [reference, difference] of [
    [one, "leading zeros"],
    [other, "the last of 17 digits"],
  ] as const) {
    const form = { what: "a transferReference of 17 digits", unlike: () => longDigits(ctx)[0] };
    const next = await expectAlikePaid(ctx, last, reference, { ...form, difference });
    if (!next) return;
    last = next;
  }
});

// Databases compare texts without regard to accents, unless a column has another collation.
const ACCENT = "pays two transfers whose references differ only in an accent";
check("accented-references-distinct", ACCENT, { critical: ["R087"], pays: 2, probe: true }, async (ctx) => {
  const plain = () => `${ctx.run.builder.fresh()}-e`;
  const reference = plain();
  const accented = reference.replace(/e$/, "é");
  const first = await ctx.sendTolerated(ID, { body: { transferReference: accented } });
  if (!first.isSuccess) skip(`a transferReference that ends in é ${first.fate}`);
  const form = { what: "a transferReference that ends in -e", unlike: plain };
  await expectAlikePaid(ctx, first, reference, { ...form, difference: "an accent" });
});

/**
 * Demands that a transfer is paid whose `reference` resembles that of the last one. A rule may forbid its form: then one
 * that is `unlike` any other is rejected, too, and nothing is returned.
 */
async function expectAlikePaid(
  ctx: CheckContext,
  last: ApiResponse,
  reference: string,
  { what, unlike, difference }: { what: string; unlike: () => string; difference: string },
): Promise<ApiResponse | undefined> {
  const send = (transferReference: string) => ctx.sendTolerated(ID, { body: { transferReference } });
  const next = await send(reference);
  if (next.isCrash || next.isThrottled) undecided(`${what} ${next.outcome}`);
  if (!next.isSuccess && !(await send(unlike())).isSuccess) {
    ctx.observe("N43", `${what} ${next.fate}`);
    return undefined;
  }
  expectBothPaid(last, next, `transfers whose references differ only in ${difference}`);
  return next;
}

const digitsOf = (ctx: CheckContext) => ctx.run.once("digits", async () => longDigits(ctx));

/** Sends a transfer whose reference of digits begins with zeros, once per run. */
async function sendDigits(ctx: CheckContext): Promise<ApiResponse> {
  const [one] = await digitsOf(ctx);
  return ctx.once("transfer/digits", () =>
    ctx.sendTolerated(ID, { body: { transferReference: `00${one}` } }),
  );
}

/** Two references that no other run has. A number of 64 bits with a fraction holds only their first 16 digits. */
function longDigits(ctx: CheckContext): [string, string] {
  const beginning = ctx.run.builder.fresh("reference", "digits");
  // No one may take them for the numbers of cards.
  const [one = "", other = ""] = ["1", "2", "3"]
    .map((last) => beginning + last)
    .filter((text) => !isLuhn(text));
  return [one, other];
}
