import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { bodySent, isAuthenticated, referenceSent } from "../../fixtures/http/sent.ts";
import { expectNotPaidAgain } from "../../fixtures/judge/repeats.ts";
import { needBook } from "../../fixtures/lists/book.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { groupBy } from "../../reports/text/grouping.ts";
import { expectDifferent } from "../answers/recorded-answers.ts";

const ID = "createTransfer";

type Body = Readonly<Record<string, unknown>>;

const text = ({ transferReference }: Body) => String(transferReference);

/** Transfers that differ in what a server may store or compare in its own way. */
const KINDS: readonly ((body: Body) => boolean)[] = [
  ({ transferNote, bankName }) => transferNote !== undefined && bankName !== undefined,
  ({ amount }) => !Number.isInteger(amount),
  (body) => /[^\x20-\x7e]/.test(text(body)),
  (body) => text(body).length >= 64,
  (body) => JSON.stringify({ ...body, transferReference: "" }).search(/[^\x20-\x7e]/) >= 0,
];

check(
  `${ID}/idempotency/repeated-kinds`,
  "pays once when transfers with notes, cents or unusual references are repeated at the end of the run",
  { must: ["R087"] },
  async (ctx) => {
    await needBook(ctx);
    const control = await requireControl(ctx, ID);
    const once = sentOnce(ctx).filter((answer) => answer !== control);
    const chosen = KINDS.flatMap((isOfKind) => once.find((answer) => isOfKind(bodySent(answer))) ?? []);
    // Many others were paid since the first, and hardly any since the last.
    const repeated = [...new Set([...once.slice(0, 1), ...chosen, ...once.slice(-1)])];
    if (repeated.length === 0)
      throw new Inconclusive("no other transfer was accepted", {
        advice: `select ${ID}/optional-fields as well`,
      });
    const replies = await Promise.all(repeated.map((answer) => repeat(ctx, answer)));
    await ctx.run.settling.pause();
    await Promise.all(replies.map(({ reference, answers }) => expectNotPaidAgain(ctx, reference, answers)));
  },
);

check(
  `${ID}/transactionId-unique`,
  "returns a different transactionId for each transfer",
  { runsAfterStop: true, must: ["R010"] },
  async (ctx) => {
    await requireControl(ctx, ID);
    const compared = expectDifferent(
      ctx,
      // A server may recognise long references by their beginning.
      sentOnce(ctx, 63),
      (answer) => JSON.stringify(answer.field("transactionId")),
      (transactionId) =>
        `returned the transactionId ${transactionId} for two transfers with different references`,
      "an identifier of its own for each transfer",
    );
    if (compared < 2)
      throw new Inconclusive("no second transfer was accepted", {
        advice: `select ${ID}/optional-fields as well`,
      });
  },
);

/**
 * The accepted transfers whose reference was sent once. References count as the same if they differ only in letter
 * case, in spaces around them, or after their first `length` characters.
 */
function sentOnce({ run }: CheckContext, length = Number.POSITIVE_INFINITY): Answer[] {
  const answers = run.answersTo(ID).filter((answer) => isAuthenticated(answer, run.target));
  const beginning = (answer: Answer) => (referenceSent(answer) ?? "").toLowerCase().trim().slice(0, length);
  return [...groupBy(answers, beginning)].flatMap(([reference, [answer, another]]) =>
    reference !== "" && answer?.isSuccess && !another ? [answer] : [],
  );
}

/** Sends a transfer of the run again, as it was. */
async function repeat(ctx: CheckContext, first: Answer) {
  const answers = [first];
  const reference = text(bodySent(first));
  await ctx.send(ID, {}, { draft: { ...ctx.draft(ID), body: bodySent(first), reference }, repeats: answers });
  return { reference, answers };
}
