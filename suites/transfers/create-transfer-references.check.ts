import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { identifiers } from "../../fixtures/judge/repeats.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { countAll, needCountable, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";

const ID = "createTransfer";

/** References of forms that the specification does not rule out; the bounds of texts are not shown (N43). */
const ODD_REFERENCES = [
  { name: "of-1-character", of: () => "x" },
  { name: "of-256-characters", of: (fresh: string) => fresh.padEnd(256, "0"), isListed: true },
  { name: "with-unicode", of: (fresh: string) => `${fresh}-ọ✓`, isListed: true },
  { name: "with-spaces", of: (fresh: string) => `${fresh} and more` },
];

for (const { name, of, isListed } of ODD_REFERENCES) {
  const what = `a transferReference ${name.replaceAll("-", " ")}`;
  const sent = (ctx: CheckContext) => transferOnce(ctx, name, of);

  check(
    `createTransfer/transferReference-${name}`,
    "TITLE",
    { should: "N43", pays: 1, probe: true },
    async (ctx) => {
      const answer = await sent(ctx);
      expectNoCrash(answer, what);
      ctx.observe("N43", `${what} ${handlingOf(answer)}`);
    },
  );
  if (isListed) checkListed(name, sent);
}

checkListed("in-mixed-case", async (ctx) => (await twins(ctx))[0]);

check(
  "createTransfer/long-references-distinct",
  "TITLE",
  { critical: ["R087"], pays: 2, probe: true },
  async (ctx) => {
    const [one, two] = await twins(ctx);
    const what = "a transferReference of 64 characters";
    if (!one.isSuccess) {
      ctx.observe("N43", `${what} ${handlingOf(one)}`);
      throw new Inconclusive(`${what} ${outcomeOf(one)}, so nothing can be told of two`);
    }
    if (!two || two.isCrash) throw new Inconclusive("what became of the second transfer is unknown");
    if (!two.isSuccess)
      throw new Violation(
        two,
        `refused a reference that differs from an earlier one in its 64th character alone (${outcomeOf(two)})`,
        "a new payout for a new reference",
      );
    if (identifiers([one, two]).size === 1)
      throw new Violation(
        two,
        "answered one transactionId for two references that differ in their 64th character alone",
        "a new payout for a new reference",
      );
  },
);

/** Registers that an accepted transfer is found by its reference as it was sent; a refused one leaves nothing to find. */
function checkListed(name: string, sent: (ctx: CheckContext) => Promise<Answer>) {
  check(
    `createTransfer/listed-reference-${name}`,
    "TITLE",
    { should: ["R011", "R054"], pays: 1, probe: true },
    async (ctx) => {
      const how = await needCountable(ctx);
      const answer = await sent(ctx);
      if (answer.isCrash) throw new Inconclusive(`${outcomeOf(answer)}: what became of it is unknown`);
      if (!answer.isSuccess) return;
      const isFound = async () => (await countAll(ctx, requireReferenceSent(answer), how)) > 0;
      await settle(ctx);
      if (await isFound()) return;
      await settle(ctx);
      if (await isFound()) return;
      throw new Violation(
        answer,
        `accepted a transferReference ${name.replaceAll("-", " ")}, yet lists no transfer under it`,
        "the transfer under its reference as it was sent",
      );
    },
  );
}

/** A transfer under an odd reference, sent once per run. */
async function transferOnce(ctx: CheckContext, name: string, of: (fresh: string) => string): Promise<Answer> {
  const answer = await ctx.run.once(`transfer/${name}`, () =>
    sendTolerated(ctx, ID, { body: { transferReference: of(ctx.run.builder.fresh()) } }),
  );
  ctx.note(answer);
  return answer;
}

/** Two transfers whose references differ in the last of 64 characters alone; the second only after an accepted first. */
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
