import { outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import { unknownKey } from "./credentials.ts";

/** Few enough that a reasonable limit on bad keys is not reached. */
const BURST = 9;

// These are the last calls of a run: the client may be locked out after them (N41).
check(
  "getProfile/auth/after-bad-keys",
  `accepts or rejects a valid key right after ${BURST} bad ones`,
  { observe: "N41" },
  async (ctx) => {
    for (let n = 1; n <= BURST; n++) {
      const authorization = `Bearer ${unknownKey(`${ctx.run.settings.runId} ${n}`)}`;
      await ctx.send("getProfile", {}, { authorization });
    }
    const answer = await ctx.send("getProfile");
    const fate = answer.isSuccess ? "is accepted" : `is not accepted: the API ${outcomeOf(answer)}`;
    ctx.observe("N41", `right after ${BURST} bad keys, a valid key ${fate}`);
  },
);
