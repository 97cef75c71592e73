import { Violation } from "../../fixtures/http/findings.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { countAll, needCountable, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";

// RFC 9112, section 8: a body shorter than its Content-Length is incomplete, even where it reads as complete JSON.
check(
  "createTransfer/cut-off-after-json",
  "TITLE",
  { should: "RFC 9112", pays: 1, probe: true },
  async (ctx) => {
    needDirectConnection(ctx.target);
    const how = await needCountable(ctx);
    const draft = ctx.draft(ID);
    const answer = await ctx.send(
      ID,
      {},
      {
        draft,
        via: async (request, sending) => {
          const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
          return (await sendPartially(ctx.target, contract[ID], { ...request, body }, sending)).cut();
        },
      },
    );
    await settle(ctx);
    if ((await countAll(ctx, draft.reference, how)) > 0)
      throw new Violation(
        answer,
        "carried out a transfer whose body never arrived completely: its Content-Length promised one byte more",
        "nothing to be carried out",
      );
  },
);
