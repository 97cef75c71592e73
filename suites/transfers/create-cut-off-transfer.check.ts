import { countAll, needCountable, settle } from "../../fixtures/counting.ts";
import { hold, needDirect } from "../../fixtures/held.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";

// RFC 9112, section 8: a body shorter than its Content-Length is incomplete, even where it reads as complete JSON.
check(
  "createTransfer/cut-off-after-json",
  { level: "SHOULD", source: "RFC 9112", pays: 1, probe: true },
  async (bench) => {
    needDirect(bench);
    const how = await needCountable(bench);
    const draft = bench.draft(ID);
    const answer = await bench.send(
      ID,
      {},
      {
        draft,
        via: async (request, sending) => {
          const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
          return (await hold(bench.target, contract[ID], { ...request, body }, sending)).cut();
        },
      },
    );
    await settle(bench);
    if ((await countAll(bench, draft.reference, how)) > 0)
      throw violation(
        answer,
        "carried out a transfer whose body never arrived completely: its Content-Length promised one byte more",
        "nothing to be carried out",
      );
  },
);
