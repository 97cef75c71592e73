import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/engine/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { expectNoCrash, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/engine/judge/tolerated.ts";
import { needBook } from "../../fixtures/engine/lists/book.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { expectBothPaid } from "./repeated-transfer.ts";

const ID = "createTransfer";

/** References in forms that the specification does not rule out; it gives no bounds for texts (N43). */
const ODD_REFERENCES = [
  { name: "of-1-character", of: () => "x" },
  { name: "of-256-characters", of: (fresh: string) => fresh.padEnd(256, "0"), isListed: true },
  {
    name: "with-unicode",
    what: "with non-ASCII characters",
    of: (fresh: string) => `${fresh}-ọ✓`,
    isListed: true,
  },
  { name: "with-spaces", of: (fresh: string) => `${fresh} and more` },
];

for (const { name, of, isListed, what = name.replaceAll("-", " ") } of ODD_REFERENCES) {
  const reference = `a transferReference ${what}`;
  const sent = (ctx: CheckContext) => transferOnce(ctx, name, of);

  check(
    `createTransfer/transferReference-${name}`,
    `does not crash on ${reference}`,
    { should: "N43", pays: 1, probe: true },
    async (ctx) => {
      const answer = await sent(ctx);
      expectNoCrash(answer, `the only unusual part is ${reference}`);
      ctx.observe("N43", `${reference} ${handlingOf(answer)}`);
    },
  );
  if (isListed) checkListed(name, reference, sent);
}

checkListed("in-mixed-case", "a transferReference in mixed case", async (ctx) => (await twins(ctx))[0]);

check(
  "createTransfer/long-references-distinct",
  "pays two transfers whose long references differ only in the last character",
  { critical: ["R087"], pays: 2, probe: true },
  async (ctx) => {
    const [one, two] = await twins(ctx);
    if (!one.isSuccess) {
      const handling = `a transferReference of 64 characters ${handlingOf(one)}`;
      ctx.observe("N43", handling);
      throw new Inconclusive(`${handling}, so two such references cannot be compared`);
    }
    if (!two || two.isCrash) throw new Inconclusive("the outcome of the second transfer is unknown");
    expectBothPaid(one, two, "transfers whose references differ only in the 64th character");
  },
);

function checkListed(name: string, reference: string, sent: (ctx: CheckContext) => Promise<Answer>) {
  check(
    `createTransfer/listed-reference-${name}`,
    `lists a transfer under ${reference}, exactly as sent`,
    { should: ["R011", "R054"], pays: 1, probe: true },
    async (ctx) => {
      const book = await needBook(ctx);
      const answer = await sent(ctx);
      if (answer.isCrash)
        throw new Inconclusive(`${outcomeOf(answer)}: whether the transfer was accepted is unknown`);
      if (!answer.isSuccess) return;
      const count = () => book.rows(requireReferenceSent(answer));
      const rows = await ctx.run.settling.until(count, (found) => found > 0);
      const actual = `accepted ${reference}, but lists no transfer under it`;
      expectThat(rows > 0, answer, actual, "the transfer under its reference as it was sent");
    },
  );
}

async function transferOnce(ctx: CheckContext, name: string, of: (fresh: string) => string): Promise<Answer> {
  const answer = await ctx.run.once(`transfer/${name}`, () =>
    sendTolerated(ctx, ID, { body: { transferReference: of(ctx.run.builder.fresh()) } }),
  );
  ctx.note(answer);
  return answer;
}

/** Sends two transfers whose references of 64 characters differ only in the last; stops if the first is rejected. */
async function twins(ctx: CheckContext): Promise<[Answer, Answer?]> {
  const sent = await ctx.run.once("transfer/twins", async (): Promise<[Answer, Answer?]> => {
    await requireControl(ctx, ID);
    const beginning = ctx.run.builder.fresh().padEnd(63, "aBcDeFgHiJ");
    const send = (last: string) => sendTolerated(ctx, ID, { body: { transferReference: beginning + last } });
    const first = await send("X");
    return first.isSuccess ? [first, await send("Z")] : [first];
  });
  for (const answer of sent) if (answer) ctx.note(answer);
  return sent;
}
