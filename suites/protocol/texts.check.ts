import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { operations } from "../../schemas/contract.ts";
import { consentToRepeat, needExpendable } from "./consent.ts";

const AWKWARD = `Ọláìtán Ñ "quoted" 'single' <b>&amp;</b> ;-- %00 \\`;
/** Longer than a text column of most databases. */
const LONG = 64 * 1024;

for (const { id, noun, body, freeText } of operations) {
  if (!freeText) continue;
  const part = body ? "body" : "query";
  const send = async (ctx: CheckContext, text: string, what: string) => {
    needExpendable(ctx, id);
    const answer = await ctx.send(id, { [part]: { [freeText]: text } });
    expectNoCrash(answer, `${freeText} holds only ${what}`);
  };

  check(
    `${id}/http/awkward-text`,
    `does not crash when ${freeText} of ${noun} has quotes, markup and accented letters`,
    { should: "practice", ...consentToRepeat(id) },
    (ctx) =>
      send(ctx, `${AWKWARD} ${ctx.run.builder.fresh()}`, "text with quotes, markup and accented letters"),
  );

  // Many servers reject a query of this length for its length alone.
  if (part === "query") continue;
  check(
    `${id}/http/long-text`,
    `does not crash when ${freeText} of ${noun} has 64 kB`,
    { should: "N43", ...consentToRepeat(id), probe: true },
    (ctx) => send(ctx, `${ctx.run.builder.fresh()} `.padEnd(LONG, "a"), "64 kB of text"),
  );
}
