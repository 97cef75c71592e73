import { needBook, UNVERIFIED } from "../../fixtures/engine/lists/book.ts";
import { check, demand, undecided } from "../../fixtures/engine/vocabulary.ts";

const ID = "createTransfer";

// The first of many transfers that must be refused: if the API pays it, it would pay the others too, so none is sent.
check(
  "createTransfer/refused-is-not-listed",
  "pays nothing when it refuses a transfer without bankCode",
  { phase: "first-rejection", must: ["R011", "R083", "R086"] },
  async (ctx) => {
    await ctx.ordinary(ID);
    const draft = ctx.draft(ID);
    const { bankCode: _, ...body } = draft.body ?? {};
    const response = await ctx.send(ID, {}, { draft: { ...draft, body } });
    const outcome = `${response.outcome} for a transfer without bankCode`;
    if (response.isSuccess) undecided(`${outcome}: it was not rejected`, "createTransfer/bankCode/missing");
    if (response.isCrash) undecided(`${outcome}: whether it was rejected is unknown`);
    const book = await needBook(ctx);
    await ctx.run.settling.pause();
    const found = await book.ofRejected(draft.reference);
    if (!found) return;
    const { paid, unverified, unknown } = found;
    if (paid > 0) ctx.run.stopPaying(draft.reference, ctx.info.id);
    demand(paid === 0, response, `${outcome}, but lists it as paid`, "no payout for a rejected request");
    if (unverified + unknown > 0) ctx.observe("N11", UNVERIFIED, { alarming: true });
  },
);
